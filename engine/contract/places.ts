/** The countries of ISO 3166-1 by their alpha-2 codes, in lower case as everywhere in the interface. */
export const COUNTRIES: ReadonlySet<string> = new Set(
  `ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz ca cc cd
  cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr ga gb gd ge gf gg
  gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr
  kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf
  ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm
  sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws ye
  yt za zm zw`.split(/\s+/),
)

/** The currencies of ISO 4217 that Intl knows, also those that are no longer in use: old prices are in them. */
export const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

export const isCountry = (code: string): boolean => COUNTRIES.has(code)
export const isCurrency = (code: string): boolean => CURRENCIES.has(code)

/** The most decimals that prices are stored with. */
export const MAX_DECIMALS = 4

const digits = new Map<string, number>()

/** The decimals in which a currency is written: 2 for EUR, none for JPY and IDR, 3 for KWD. */
export const digitsOf = (currency: string): number => {
  const cached = digits.get(currency)
  if (cached !== undefined) return cached
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const count = format.resolvedOptions().maximumFractionDigits ?? 2
  digits.set(currency, count)
  return count
}

/** How the prices of a country are stored: whole numbers of 10^-decimals of its currency. */
export type CountryPrices = { currency: string; decimals: number }

/** The countries that the interface always has, whatever a lake holds. */
export const USUAL_COUNTRIES: Readonly<Record<string, CountryPrices>> = {
  us: { currency: 'USD', decimals: 2 },
  ca: { currency: 'CAD', decimals: 2 },
}
export const USUAL_COUNTRY = 'us'
export const COUNTRY_CHOICES = Object.keys(USUAL_COUNTRIES)
export const CURRENCY_CHOICES = Object.values(USUAL_COUNTRIES).map(({ currency }) => currency)

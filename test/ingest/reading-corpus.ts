/** Names in which the rules find codes, kinds, purposes, sizes, packs, conditions, units and joined words. */
const NAMES = [
  'WH-1000XM4 Wireless Noise-Cancelling Headphones',
  'Crème brûlée 12 fl. ounces',
  'Camera DSC-W55 with lens kit',
  'Case for iPhone 13, black',
  'Certified Pre-Owned TI-84 calculator',
  'Coffee beans 6 x 355 ml',
  'The Original Ketchup 1.89 L (2 Pack)',
  'Z490 G motherboard DDR4 LGA1200',
  'Filter used with mowers 42"',
  'Monitor 1920x1080 144 Hz open box',
  'Tea tree tea 2 lb bag & box',
  'Milk',
]
const BRANDS = ['', 'Sony', "L'Oréal", 'Griffin Technology', 'n/a']
const BARCODES = ['', '036000291452', "['4006381333931', '036000291453']", '12345', '212345678992|abc']
const PART_NUMBERS = ['', 'Sony DSC-W55/B', '1111']
const MODELS = ['', 'WH-1000XM4', 'Classic']
const SIZES = [',,', '355,ml,6', '2,lb,1', '16,oz,12', ',,24']
const CONDITIONS = ['', 'https://schema.org/RefurbishedCondition', '1500', 'unknown']
const URLS = ['', 'https://www.shop.example/a%20b/?c=1#d', 'shop.example/É/']

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** A catalogue of 720 listings whose texts share words in many ways, as a file of a feed. */
export const corpus = (): string => {
  const lines = Array.from({ length: 720 }, (_, index) => {
    // Numbers without a common factor bring each text together with each.
    const of = (texts: readonly string[], step: number): string => texts[Math.floor(index / step) % texts.length]!
    const texts = [of(NAMES, 1), of(BRANDS, 12), of(BARCODES, 7), of(PART_NUMBERS, 5), of(MODELS, 11)]
    const others = [of(CONDITIONS, 13), of(URLS, 17), index % 19 === 0 ? 'yes' : '', index % 23 === 0 ? '3' : '']
    return `a,${index % 4 === 0 ? 'ca' : 'us'},${index},${[...texts, ...others].map(cell).join(',')},${of(SIZES, 29)}`
  })
  const columns = 'product_name,brand,gtin,mpn,model,condition,url,is_bundle,multipack,size_value,size_unit,pack_count'
  return `${[`platform,country,listing_id,${columns}`, ...lines].join('\n')}\n`
}

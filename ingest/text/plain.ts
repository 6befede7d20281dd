/** The zeros of the decimal digits of other scripts, which the other nine follow. */
const ZEROS = '٠۰०০੦૦௦౦೦൦๐໐၀០０'

/** Marks in numbers and times of other scripts and widths, and spaces that price tags have between thousands. */
const MARKS: Readonly<Record<string, string>> = {
  '٫': '.',
  '٬': ',',
  '،': ',',
  '．': '.',
  '，': ',',
  '：': ':',
  '／': '/',
  '－': '-',
  '\u3000': ' ',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2009': ' ',
}

const digits = [...ZEROS].flatMap((zero) =>
  Array.from(
    { length: 10 },
    (_, digit) => [String.fromCodePoint(zero.codePointAt(0)! + digit), String(digit)] as const,
  ),
)
const PLAIN = new Map([...digits, ...Object.entries(MARKS)])

/** Digits and marks of any script, and the plain ones at the same places. */
export const plainMarks = { from: [...PLAIN.keys()].join(''), to: [...PLAIN.values()].join('') }

const FOREIGN = new RegExp(`[${plainMarks.from}]`, 'g')

/** A number or time with plain digits and marks: `۲٬۵۰۰` is `2,500`. */
export const plainText = (text: string): string => text.replace(FOREIGN, (mark) => PLAIN.get(mark)!)

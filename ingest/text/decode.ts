/** Encodings of languages and scripts, by the names that browsers have for them. */
export const LEGACY_ENCODINGS = [
  ...['windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257'],
  ...['windows-1258', 'windows-874', 'koi8-r', 'shift_jis', 'euc-jp', 'euc-kr', 'gb18030', 'big5'],
] as const

/** Encodings of a file. utf-16 is little-endian without a byte order mark; latin-1 is windows-1252. */
export const ENCODINGS = ['utf-8', 'utf-16', 'latin-1', ...LEGACY_ENCODINGS] as const
export type TextEncoding = (typeof ENCODINGS)[number]

/**
 * Converts the bytes of a file to UTF-8, chunk by chunk. An invalid character becomes a byte that is invalid in UTF-8.
 */
export type Decode = (chunk: Buffer, isEnd: boolean) => Buffer

const INVALID = Buffer.from([0xff])

const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

const decodeLatin1: Decode = (chunk) =>
  Buffer.from(
    chunk.toString('latin1').replace(/[\x80-\x9f]/g, (letter) => WINDOWS_1252[letter.charCodeAt(0) - 0x80] ?? letter),
  )

const encode = (text: string, invalid: RegExp): Buffer => {
  const parts = text.split(invalid)
  if (parts.length === 1) return Buffer.from(text)
  return Buffer.concat(
    parts.flatMap((part, index) => (index === 0 ? [Buffer.from(part)] : [INVALID, Buffer.from(part)])),
  )
}

const createUtf16Decoder = (isBigEndian: boolean): Decode => {
  let rest = Buffer.alloc(0)
  return (chunk, isEnd) => {
    const bytes = Buffer.concat([rest, chunk])
    const highByte = bytes.length & ~1
    let end = highByte
    const last = end >= 2 ? bytes[isBigEndian ? end - 2 : end - 1]! : 0
    // The first half of a surrogate pair waits for the second.
    if (!isEnd && last >= 0xd8 && last <= 0xdb) end -= 2
    rest = bytes.subarray(end)
    const whole = bytes.subarray(0, end)
    const text = (isBigEndian ? Buffer.from(whole).swap16() : whole).toString('utf16le')
    const encoded = encode(text, /\p{Surrogate}/u)
    return isEnd && rest.length > 0 ? Buffer.concat([encoded, INVALID]) : encoded
  }
}

/** A text that has the character for an invalid one already is damaged, too. */
const createLegacyDecoder = (encoding: TextEncoding): Decode => {
  const decoder = new TextDecoder(encoding)
  return (chunk, isEnd) => encode(decoder.decode(chunk, { stream: !isEnd }), /\ufffd/)
}

const MARKS: readonly { bytes: readonly number[]; encoding: TextEncoding; isBigEndian: boolean }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8', isBigEndian: false },
  { bytes: [0xff, 0xfe], encoding: 'utf-16', isBigEndian: false },
  { bytes: [0xfe, 0xff], encoding: 'utf-16', isBigEndian: true },
]

/** The length of the longest byte order mark. */
export const MARK_BYTES = 3

/** Chooses the encoding by a file's first bytes, else the given one. `mark` is the length of the byte order mark. */
export const chooseDecoder = (
  start: Buffer,
  default_encoding: TextEncoding = 'utf-8',
): { encoding: TextEncoding; mark: number; decode: Decode | null } => {
  const marked = MARKS.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte))
  const encoding = marked?.encoding ?? default_encoding
  const mark = marked?.bytes.length ?? 0
  if (encoding === 'utf-8') return { encoding, mark, decode: null }
  if (encoding === 'latin-1') return { encoding, mark, decode: decodeLatin1 }
  const isUtf16 = encoding === 'utf-16'
  const decode = isUtf16 ? createUtf16Decoder(marked?.isBigEndian ?? false) : createLegacyDecoder(encoding)
  return { encoding, mark, decode }
}

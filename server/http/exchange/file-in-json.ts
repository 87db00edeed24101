/**
 * Decodes a file in a base64 field of a JSON body while the body arrives, so that its text is never
 * in memory as a whole and no body blocks the process. A value that is not base64 stays in the JSON, for the schema
 * to refuse.
 */
import { CLOSE, COLON, COMMA, OPEN, openStringEnd, QUOTE } from './parse-json.ts'

/** Begins the text that stays in the JSON, whatever part was taken out before. */
const NOT_BASE64 = Buffer.from('!')

export type FileInJson = {
  /** Feed each byte once, in order. @returns the bytes that stay: the JSON, in which the field is '' */
  add(chunk: Buffer): Buffer[]
  /** The decoded file, or null when the field was absent. */
  file(): Buffer | null
}

/** `field`: name in the outermost object. `mostBytes`: limit of the body. */
export const openFileInJson = (field: string, mostBytes: number): FileInJson => {
  let text: Base64Text | null = null
  /** Inside a string: the file's or another one. */
  let within: 'file' | 'other' | null = null
  let depth = 0
  let isValue = false
  let lastString: Buffer[] = []

  const endOfString = openStringEnd()
  const isField = () => depth === 1 && isValue && String(Buffer.concat(lastString)) === field
  const note = (byte: number): void => {
    if (byte === QUOTE) {
      within = isField() ? 'file' : 'other'
      if (within === 'file') {
        text ??= new Base64Text(mostBytes)
        text.restart()
      }
      lastString = []
    } else if (byte === COLON) isValue = true
    else if (byte === COMMA) isValue = false
    else if (OPEN.includes(byte)) depth += 1
    else if (CLOSE.includes(byte)) depth -= 1
  }

  return {
    add: (chunk) => {
      const stays: Buffer[] = []
      let from = 0
      for (let at = 0; at < chunk.length; ) {
        if (within === null) {
          note(chunk[at++] ?? 0)
          continue
        }
        const end = endOfString(chunk, at)
        if (within === 'file' && text !== null) {
          stays.push(chunk.subarray(from, at), ...text.add(chunk.subarray(at, end)))
          if (end < chunk.length) stays.push(...text.end())
          from = end
        } else if (depth === 1 && lastString.length <= field.length)
          // One byte more than the name, so that a longer name differs.
          lastString.push(chunk.subarray(at, Math.min(end, at + field.length + 1)))
        at = end + 1
        if (end < chunk.length) within = null
      }
      stays.push(chunk.subarray(from))
      return stays
    },
    file: () => text?.bytes() ?? null,
  }
}

/** The text between the quotes, with escapes. */
class Base64Text {
  /** The system allocates pages when they are written. */
  private readonly whole: Buffer
  private length = 0
  /** An incomplete escape at the end of the text so far. */
  private cut = ''
  /** Base64 characters that do not fill a group of four yet. */
  private rest = ''
  private isRefused = false

  constructor(mostBytes: number) {
    this.whole = Buffer.allocUnsafeSlow(Math.ceil((mostBytes * 3) / 4))
  }

  /** A repeated field has its last value. */
  restart(): void {
    this.length = 0
    this.cut = ''
    this.rest = ''
    this.isRefused = false
  }

  bytes(): Buffer {
    return this.whole.subarray(0, this.length)
  }

  /** @returns the text that is not base64 */
  add(piece: Buffer): Buffer[] {
    if (this.isRefused) return [piece]
    const text = this.cut + piece.toString('latin1')
    this.cut = /\\(?:u[\da-fA-F]{0,3})?$/.exec(text)?.[0] ?? ''
    const all = this.rest + unescaped(text.slice(0, text.length - this.cut.length))
    if (/^[A-Za-z0-9+/]*={0,2}$/.test(all)) {
      const whole = all.endsWith('=') ? 0 : all.length - (all.length % 4)
      this.decode(all.slice(0, whole))
      this.rest = all.slice(whole)
      return []
    }
    this.isRefused = true
    return [NOT_BASE64, Buffer.from(text, 'latin1')]
  }

  end(): Buffer[] {
    if (this.isRefused) return []
    this.decode(this.rest)
    return [Buffer.from(this.cut)]
  }

  private decode(letters: string): void {
    this.length += this.whole.write(letters, this.length, 'base64')
  }
}

/** An escape that base64 does not need stays and is refused. */
const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(?:u([\da-fA-F]{4})|([/rn]))/g, (_all, code?: string, letter?: string) => {
        if (letter !== undefined) return letter === '/' ? '/' : ''
        const char = String.fromCharCode(Number.parseInt(code ?? '', 16))
        return char === '\r' || char === '\n' ? '' : char
      })
    : text

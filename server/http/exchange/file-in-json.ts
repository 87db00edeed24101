/**
 * A file that comes as base64 in a field of a JSON body: it is decoded piece by piece as it comes in, so that its text is never
 * in memory as a whole, and no body holds the process while it is read. What is no base64 stays where it was, for the schema
 * to refuse.
 */
import { CLOSE, COLON, COMMA, OPEN, openStringEnd, QUOTE } from './parse-json.ts'

/** Begins what is left where it was, whatever of it was taken out before. */
const NOT_BASE64 = Buffer.from('!')

export type FileInJson = {
  /** Each byte once, in order. @returns what stays of them: the JSON, in which the field is '' */
  add(chunk: Buffer): Buffer[]
  /** What was taken out, or null when the field was not there. */
  file(): Buffer | null
}

/** `field`: of the outermost object. `mostBytes`: of the body. */
export const openFileInJson = (field: string, mostBytes: number): FileInJson => {
  let text: Base64Text | null = null
  /** Within a string: of the file, or any other. */
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
          // So much that it differs when it is longer.
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

/** What stands between the quotes, escapes and all. */
class Base64Text {
  /** The system gives its pages as they are written. */
  private readonly whole: Buffer
  private length = 0
  /** The end of the text so far, where it is no whole escape. */
  private cut = ''
  /** Decoded letters that are no whole group of four. */
  private rest = ''
  private isRefused = false

  constructor(mostBytes: number) {
    this.whole = Buffer.allocUnsafeSlow(Math.ceil((mostBytes * 3) / 4))
  }

  /** A field that is there twice has its last value. */
  restart(): void {
    this.length = 0
    this.cut = ''
    this.rest = ''
    this.isRefused = false
  }

  bytes(): Buffer {
    return this.whole.subarray(0, this.length)
  }

  /** @returns what is no base64 */
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

/** An escape that no base64 has stays, and is refused. */
const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(?:u([\da-fA-F]{4})|([/rn]))/g, (_all, code?: string, letter?: string) => {
        if (letter !== undefined) return letter === '/' ? '/' : ''
        const char = String.fromCharCode(Number.parseInt(code ?? '', 16))
        return char === '\r' || char === '\n' ? '' : char
      })
    : text

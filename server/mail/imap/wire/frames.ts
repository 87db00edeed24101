/**
 * Divides the bytes of a client into commands: lines, with the literals that they announce (RFC 9051 §4.3). It keeps no more than it
 * was allowed to, and stays in step with a client that sends more.
 */

/** A command as it came. In `text`, latin1, each literal is one NUL; `literals` has their bytes in this order. */
export type Frame = { text: string; literals: Buffer[] }

export type FrameEvent =
  | { kind: 'command'; frame: Frame }
  /** The client waits for this before it sends a literal. */
  | { kind: 'continue' }
  /** A command that was not kept. `text`: its beginning. */
  | { kind: 'refused'; text: string; why: 'line-too-long' | 'literal-too-large' | 'no-text' }

/** A literal that a client announces. `text`: the command up to here. */
export type Announced = { text: string; bytes: number; before: number }

export type FrameLimits = {
  /** Of all lines of a command together. */
  lineBytes: number
  /** Whether a literal is taken; `before`: bytes of earlier literals of the command. */
  admits: (announced: Announced) => boolean
}

/** The bytes of a line that is not kept, by which the announcement at its end is found. */
const TAIL_BYTES = 32
const announcement = /\{(\d{1,10})(\+?)\}$/

export class FrameReader {
  limits: FrameLimits
  #waiting: Buffer = Buffer.alloc(0)
  /** How far `#waiting` was searched for the end of a line. */
  #searched = 0
  #text = ''
  #literals: Buffer[] = []
  #literal: { missing: number; parts: Buffer[] } | null = null
  /** Bytes of a literal that is not kept. */
  #ignored = 0
  /** Why the rest of the command is not kept. */
  #refusal: Extract<FrameEvent, { kind: 'refused' }>['why'] | null = null
  /** Of a line too long: its last bytes. */
  #tail: Buffer | null = null

  constructor(limits: FrameLimits) {
    this.limits = limits
  }

  push(bytes: Buffer): void {
    const rest = this.#feedLiteral(bytes)
    if (rest.length === 0) return
    this.#waiting = this.#waiting.length === 0 ? rest : Buffer.concat([this.#waiting, rest])
  }

  /** Bytes that no command has taken yet. */
  get waitingBytes(): number {
    return this.#waiting.length
  }

  /** A literal is on its way, which needs no room in `waitingBytes`. */
  get isInLiteral(): boolean {
    return (this.#literal !== null && this.#literal.missing > 0) || this.#ignored > 0
  }

  /** Forgets what has come: before TLS anybody on the way can have put it there (RFC 9051 §6.2.1). */
  clear(): void {
    this.#waiting = Buffer.alloc(0)
    this.#searched = 0
    this.#begin()
  }

  /** What has come behind the last command, which is in another language: compressed. */
  takeRest(): Buffer {
    const rest = this.#waiting
    this.clear()
    return rest
  }

  /** null: more bytes are needed. */
  next(): FrameEvent | null {
    for (;;) {
      if (!this.#takeLiteral()) return null
      const line = this.#takeLine()
      if (line === null) return null
      const event = this.#addLine(line)
      if (event !== null) return event
    }
  }

  /** A line that is no command: `DONE`, or an answer of AUTHENTICATE. null: more bytes are needed; undefined: it is too long. */
  nextLine(): string | null | undefined {
    const line = this.#takeLine()
    if (line === null) return null
    const isTooLong = this.#refusal !== null
    this.#begin()
    return isTooLong ? undefined : line.toString('latin1')
  }

  #begin(): void {
    this.#text = ''
    this.#literals = []
    this.#literal = null
    this.#ignored = 0
    this.#refusal = null
    this.#tail = null
  }

  /** @returns the bytes behind the literal. */
  #feedLiteral(bytes: Buffer): Buffer {
    if (this.#ignored > 0) {
      const taken = Math.min(this.#ignored, bytes.length)
      this.#ignored -= taken
      return bytes.subarray(taken)
    }
    const literal = this.#literal
    if (literal === null || literal.missing === 0) return bytes
    const part = bytes.subarray(0, literal.missing)
    literal.parts.push(part)
    literal.missing -= part.length
    return bytes.subarray(part.length)
  }

  /** false: it is not whole yet. */
  #takeLiteral(): boolean {
    if (this.isInLiteral) {
      const waiting = this.#waiting
      this.#waiting = Buffer.alloc(0)
      this.#searched = 0
      this.push(waiting)
    }
    if (this.isInLiteral) return false
    if (this.#literal !== null) {
      this.#literals.push(Buffer.concat(this.#literal.parts))
      this.#literal = null
    }
    return true
  }

  /** Without its end. null: it is not whole yet. Of one that is too long, only the end. */
  #takeLine(): Buffer | null {
    const end = this.#waiting.indexOf(0x0a, this.#searched)
    const room = this.limits.lineBytes - this.#text.length
    if ((end === -1 ? this.#waiting.length : end) > room) this.#refusal ??= 'line-too-long'
    if (end === -1) {
      if (this.#refusal !== null) this.#keepTail()
      this.#searched = this.#waiting.length
      return null
    }
    const line = this.#waiting.subarray(0, end)
    this.#waiting = this.#waiting.subarray(end + 1)
    this.#searched = 0
    const whole = this.#tail === null ? line : Buffer.concat([this.#tail, line])
    this.#tail = null
    return whole.at(-1) === 0x0d ? whole.subarray(0, -1) : whole
  }

  #keepTail(): void {
    if (this.#text === '') this.#text = this.#waiting.toString('latin1', 0, TAIL_BYTES)
    const all = this.#tail === null ? this.#waiting : Buffer.concat([this.#tail, this.#waiting])
    this.#tail = Buffer.from(all.subarray(-TAIL_BYTES))
    this.#waiting = Buffer.alloc(0)
  }

  /** null: the command goes on. */
  #addLine(line: Buffer): FrameEvent | null {
    const text = line.toString('latin1')
    const [whole = '', digits, plus] = announcement.exec(text.slice(-TAIL_BYTES)) ?? []
    if (text.includes('\0')) this.#refusal ??= 'no-text'
    if (this.#refusal === null) this.#text += text.slice(0, text.length - whole.length)
    else if (this.#text === '') this.#text = text.slice(0, TAIL_BYTES)
    if (digits === undefined) return this.#end()
    const bytes = Number(digits)
    const isSync = plus === ''
    const before = this.#literals.reduce((sum, { length }) => sum + length, 0)
    if (this.#refusal === null && !this.limits.admits({ text: this.#text, bytes, before }))
      this.#refusal = 'literal-too-large'
    if (this.#refusal === null) {
      this.#text += '\0'
      this.#literal = { missing: bytes, parts: [] }
      return isSync ? { kind: 'continue' } : null
    }
    // A client that waits for us sends nothing after a refusal.
    if (isSync) return this.#end()
    this.#literals = []
    this.#ignored = bytes
    return null
  }

  #end(): FrameEvent {
    const [text, literals, why] = [this.#text, this.#literals, this.#refusal]
    this.#begin()
    return why === null
      ? { kind: 'command', frame: { text, literals } }
      : { kind: 'refused', text, why }
  }
}

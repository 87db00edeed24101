/** Reads the words of a command one after the other (RFC 9051 §9). */
import type { Frame } from './frames.ts'

/** The command cannot be understood; the message is a sentence for who wrote the client. */
export class BadSyntax extends Error {
  override name = 'BadSyntax'
}

const atomLetters = /[!#$&'+-[^-z|}~]+/y
const astringLetters = /[!#$&'+-[\]-z|}~]+/y
const patternLetters = /[!#-'*-[\]-z|}~\x80-\xff]+/y
const nameLetters = /[A-Za-z0-9.]+/y

export class Cursor {
  readonly #text: string
  readonly #literals: readonly Buffer[]
  #at = 0
  #literal = 0

  constructor({ text, literals }: Frame) {
    this.#text = text
    this.#literals = literals
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** '' at the end. */
  peek(): string {
    return this.#text[this.#at] ?? ''
  }

  /** Whether it was there. */
  take(expected: string): boolean {
    if (!this.isNext(expected)) return false
    this.#at += expected.length
    return true
  }

  /** `expected`: in capitals. */
  isNext(expected: string): boolean {
    return this.#text.slice(this.#at, this.#at + expected.length).toUpperCase() === expected
  }

  /** `expected`: in capitals. */
  expect(expected: string): void {
    if (!this.take(expected)) throw new BadSyntax(`'${expected}' is missing`)
  }

  /** Some programs send more than one space. */
  space(): void {
    this.expect(' ')
    while (this.take(' ')) {}
  }

  end(): void {
    while (this.take(' ')) {}
    if (!this.isAtEnd) throw new BadSyntax('There is more than the command takes')
  }

  #letters(letters: RegExp, what: string): string {
    letters.lastIndex = this.#at
    const word = letters.exec(this.#text)?.[0]
    if (word === undefined) throw new BadSyntax(`${what} is missing`)
    this.#at += word.length
    return word
  }

  atom(what = 'A word'): string {
    return this.#letters(atomLetters, what)
  }

  /** In capitals. */
  word(what?: string): string {
    return this.atom(what).toUpperCase()
  }

  /** Of a FETCH item or an option: letters up to a bracket, in capitals. */
  name(): string {
    return this.#letters(nameLetters, 'A name').toUpperCase()
  }

  /** RFC 9051: up to 2^32-1. */
  number(): number {
    const number = this.bigNumber()
    if (number > 0xffff_ffff) throw new BadSyntax('A number is too large')
    return number
  }

  /** A mod-sequence, up to 2^63-1 (RFC 7162 §7); those that no mailbox reaches are one. */
  bigNumber(): number {
    const digits = /\d+/y
    digits.lastIndex = this.#at
    const found = digits.exec(this.#text)?.[0]
    if (found === undefined || found.length > 19) throw new BadSyntax('A number is missing')
    this.#at += found.length
    return Math.min(Number(found), Number.MAX_SAFE_INTEGER)
  }

  /** The bytes of an atom, a quoted string or a literal. */
  astring(): Buffer {
    if (this.peek() === '"' || this.peek() === '\0') return this.string()
    return Buffer.from(this.#letters(astringLetters, 'A text'), 'latin1')
  }

  /** With the wildcards of LIST, and with letters beyond ASCII. */
  pattern(): Buffer {
    if (this.peek() === '"' || this.peek() === '\0') return this.string()
    return Buffer.from(this.#letters(patternLetters, 'A pattern'), 'latin1')
  }

  string(): Buffer {
    if (this.peek() === '\0') return this.literal()
    this.expect('"')
    let found = ''
    for (;;) {
      const letter = this.#text[this.#at++]
      if (letter === undefined) throw new BadSyntax('A quoted text has no end')
      if (letter === '"') return Buffer.from(found, 'latin1')
      if (letter === '\\') {
        const next = this.#text[this.#at++] ?? ''
        found += next
      } else if (letter === '\0' || letter === '\r') {
        throw new BadSyntax('A quoted text has a line end or a literal in it')
      } else found += letter
    }
  }

  nstring(): Buffer | null {
    const rest = this.#text.slice(this.#at, this.#at + 4)
    if (/^NIL(?:[ )]|$)/i.test(rest)) {
      this.#at += 3
      return null
    }
    return this.string()
  }

  literal(): Buffer {
    this.expect('\0')
    return this.#literals[this.#literal++] ?? Buffer.alloc(0)
  }

  /** What stands between parentheses, divided by spaces. */
  list<T>(read: () => T): T[] {
    this.expect('(')
    const found: T[] = []
    while (!this.take(')')) {
      if (found.length > 0) this.space()
      if (this.take(')')) break
      found.push(read())
    }
    return found
  }
}

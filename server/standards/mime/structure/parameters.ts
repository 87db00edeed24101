/** Content-Type and Content-Disposition: a value and its parameters, as they were sent (RFC 2045 §5.1). */
import type { Parameters } from './mail-structure.ts'

export type ParameterizedValue = { value: string; parameters: Parameters }

/** The first of two parameters with one name counts, as in `mail-parser`. */
export const parameterizedValue = (text: string): ParameterizedValue => {
  const [value = '', ...rest] = piecesOf(text)
  const found = new Map<string, [name: string, value: string]>()
  for (const piece of rest) {
    const equals = piece.indexOf('=')
    const name = piece.slice(0, equals === -1 ? undefined : equals).trim()
    const key = name.toLowerCase()
    if (name === '' || found.has(key)) continue
    found.set(key, [name, equals === -1 ? '' : unquoted(piece.slice(equals + 1).trim())])
  }
  return { value: value.trim(), parameters: joined([...found.values()]).flat() }
}

/** Divided at semicolons, without comments. */
const piecesOf = (text: string): string[] => {
  if (!/["(]/.test(text)) return text.split(';')
  const pieces: string[] = []
  let piece = ''
  let isBalanced = true
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (letter === '"') {
      const end = endOfQuoted(text, at)
      piece += text.slice(at, end)
      at = end - 1
    } else if (letter === '(' && isBalanced && opensComment(piece)) {
      const end = endOfComment(text, at)
      isBalanced = end !== -1
      if (isBalanced) at = end - 1
      else piece += letter
    } else if (letter === ';') {
      pieces.push(piece)
      piece = ''
    } else piece += letter
  }
  return [...pieces, piece]
}

/** Inside a value, a bracket that continues a word is text: `filename=Invoice(1).pdf`. */
const opensComment = (piece: string): boolean => !piece.includes('=') || /[\s"=]$/.test(piece)

/** After the closing quote. */
export const endOfQuoted = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

/** After the closing bracket; -1 when there is none. */
export const endOfComment = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '(') depth += 1
    else if (text[at] === ')' && --depth === 0) return at + 1
  }
  return -1
}

/** What follows the closing quote is dropped. */
export const unquoted = (text: string): string =>
  text.startsWith('"')
    ? text.slice(1, endOfQuoted(text, 0)).replace(/"$/, '').replace(/\\(.)/g, '$1')
    : text

const section = /^(.+?)\*(\d{1,3})(\*?)$/

/** Joins what RFC 2231 §3 divided: `name*0`, `name*1*` become `name*`, still encoded. */
const joined = (parameters: readonly [string, string][]): [string, string][] => {
  if (!parameters.some(([name]) => section.test(name))) return [...parameters]
  const whole: [string, string][] = []
  const sections = new Map<
    string,
    { name: string; parts: [n: number, isEncoded: boolean, value: string][] }
  >()
  for (const [name, value] of parameters) {
    const [, base, n, star] = section.exec(name) ?? []
    if (base === undefined) whole.push([name, value])
    else {
      const key = base.toLowerCase()
      const group = sections.get(key) ?? { name: base, parts: [] }
      group.parts.push([Number(n), star === '*', value])
      sections.set(key, group)
    }
  }
  for (const { name, parts } of sections.values()) {
    const isEncoded = parts.some(([, isEncoded]) => isEncoded)
    const value = parts
      .toSorted(([a], [b]) => a - b)
      .map(([, isPartEncoded, text]) =>
        isEncoded && !isPartEncoded ? encodeURIComponent(text.toWellFormed()) : text,
      )
      .join('')
    whole.push([isEncoded ? `${name}*` : name, value])
  }
  return whole
}

/** Compares a DKIM record by its key: other tags, their order and white space do not matter. Pure. */
import { type DkimKeyRecord, parseDkim } from '#server/standards/dns-records/dkim-record.ts'
import { howItDiffers, isQuoted, marksIn, STRING_BYTES, unquoted } from './text-faults.ts'
import { type Verdict, verdict } from './verdict.ts'

type Algorithm = 'rsa' | 'ed25519'
export type KnownKey = { selector: string; publicKey: string }

/** `others`: present and former keys of the domain under other selectors. */
export const compareDkim = (
  values: string[],
  name: string,
  publicKey: string,
  others: readonly KnownKey[] = [],
  algorithm: Algorithm = 'rsa',
): Verdict => {
  if (values.length === 0)
    return verdict(
      'waiting',
      [],
      `There is no DKIM key at ${name} yet.`,
      `Add a TXT record at ${name} with the value shown.`,
    )
  const keys = values.flatMap((text) => {
    const key = parseDkim(text)
    return key ? [{ key, text }] : []
  })
  const [first] = keys
  if (!first) return noKey(values, name, publicKey, algorithm)
  if (keys.length > 1)
    return verdict(
      'conflict',
      values,
      `There are ${keys.length} DKIM keys at ${name}, and receivers may use any of them.`,
      `Keep only the one with the value shown at ${name}.`,
    )
  return singleKey(first, { values, name, publicKey, others, algorithm })
}

type DkimCheck = {
  values: string[]
  name: string
  publicKey: string
  others: readonly KnownKey[]
  algorithm: Algorithm
}

const differentKey = (values: string[], name: string, what: string, fix?: string): Verdict =>
  verdict('different', values, what, fix ?? `Change the TXT record at ${name} to the value shown.`)

const singleKey = (
  { key, text }: { key: DkimKeyRecord; text: string },
  { values, name, publicKey, others, algorithm }: DkimCheck,
): Verdict => {
  if (key.publicKey === '')
    return differentKey(values, name, `The DKIM key at ${name} is empty (p=), which revokes it.`)
  if (key.publicKey === publicKey) return matchingKey(key, text, { values, name, algorithm })
  if (isQuoted(text) && parseDkim(unquoted(text))?.publicKey === publicKey)
    return quotedKey(values, name, text)
  const other = others.find((each) => each.publicKey === key.publicKey)
  if (other)
    return differentKey(
      values,
      name,
      `The key at ${name} is an older one of this domain, the one of selector ${other.selector}.`,
    )
  const fault = howItDiffers(key.publicKey, publicKey, Buffer.byteLength(text))
  if (fault === null)
    return differentKey(
      values,
      name,
      `The DKIM key at ${name} is not the one shown here; it may belong to another service or another selector.`,
    )
  const isCut = Buffer.byteLength(text) === STRING_BYTES && publicKey.startsWith(key.publicKey)
  return differentKey(
    values,
    name,
    `The DKIM key at ${name} ${fault}.`,
    isCut ? stringsFix(name) : undefined,
  )
}

const stringsFix = (name: string): string =>
  `Enter the value at ${name} again; where the provider takes at most 255 characters at once, enter the strings shown one after the other.`

const matchingKey = (
  key: DkimKeyRecord,
  text: string,
  { values, name, algorithm }: Pick<DkimCheck, 'values' | 'name' | 'algorithm'>,
): Verdict => {
  if (key.algorithm !== algorithm || !key.isForMail)
    return differentKey(
      values,
      name,
      `The key at ${name} is right, but its other tags forbid using it for this mail.`,
    )
  const hasSpaces = text
    .split(';')
    .some((tag) => /^\s*p\s*=/.test(tag) && /\S\s+\S/.test(tag.slice(tag.indexOf('=') + 1).trim()))
  return {
    ...verdict('verified', values),
    ...(hasSpaces && {
      explanation: `The key at ${name} has spaces inside, where its strings were joined; receivers ignore them, so it works.`,
    }),
  }
}

const quotedKey = (values: string[], name: string, text: string): Verdict =>
  differentKey(
    values,
    name,
    `The key at ${name} is right, but ${marksIn(text)} became part of the record, so receivers cannot read it.`,
    `Enter the value at ${name} again without ${marksIn(text)}.`,
  )

const noKey = (
  values: string[],
  name: string,
  publicKey: string,
  algorithm: Algorithm,
): Verdict => {
  for (const text of values) {
    const plain = unquoted(text)
    if (isQuoted(text) && parseDkim(plain)?.publicKey === publicKey)
      return quotedKey(values, name, text)
    const key = plain.replace(/\s+/g, '')
    if (key === publicKey || (key.length >= 32 && publicKey.endsWith(key)))
      return differentKey(
        values,
        name,
        key === publicKey
          ? `The record at ${name} holds the key alone, without 'v=DKIM1; k=${algorithm}; p=' before it.`
          : `The DKIM key at ${name} lacks its beginning: only the last ${key.length} of ${publicKey.length} characters are there.`,
      )
  }
  if (values.some((text) => /^\s*v\s*=\s*DKIM1/i.test(text)))
    return differentKey(
      values,
      name,
      `The DKIM record at ${name} cannot be read: its key (p=) is missing, or a semicolon is.`,
    )
  return differentKey(values, name, `The TXT record at ${name} is not a DKIM key.`)
}

/** Compares what DNS holds with what we asked for: by meaning, not by text. Pure. */
import type { ResourceRecord } from '#server/lib/dns.ts'
import { parseDkim } from '#server/standards/dns-records/dkim-record.ts'
import { DEFAULT_DMARC, isDmarc, parseDmarc } from '#server/standards/dns-records/dmarc-record.ts'
import { MX_PRIORITY } from './expected-records.ts'
import { type Verdict, verdict } from './verdict.ts'

/** Other TXT records at the name are none of our business. */
export const compareOwnership = (values: string[], name: string, expected: string): Verdict => {
  if (values.some((value) => value.trim() === expected)) return verdict('verified', values)
  const claims = values.filter((value) => /mailstead-verify/i.test(value))
  if (claims.length > 0)
    return verdict(
      'different',
      claims,
      `The TXT record at ${name} has another value than the one shown here.`,
      `Change the TXT record at ${name} to exactly the value shown, or add a second one with it.`,
    )
  return verdict(
    'waiting',
    values,
    `There is no ownership record at ${name} yet.`,
    `Add a TXT record at ${name} with the value shown.`,
  )
}

/** By the key: other tags, their order and white space do not matter. */
export const compareDkim = (values: string[], name: string, publicKey: string): Verdict => {
  const keys = values.flatMap((text) => parseDkim(text) ?? [])
  const change = `Change the TXT record at ${name} to the value shown.`
  if (values.length === 0)
    return verdict(
      'waiting',
      [],
      `There is no DKIM key at ${name} yet.`,
      `Add a TXT record at ${name} with the value shown.`,
    )
  const [key] = keys
  if (!key)
    return verdict('different', values, `The TXT record at ${name} is not a DKIM key.`, change)
  if (keys.length > 1)
    return verdict(
      'conflict',
      values,
      `There are ${keys.length} DKIM keys at ${name}, and receivers may use any of them.`,
      'Keep only the one with the value shown.',
    )
  if (key.publicKey === '')
    return verdict(
      'different',
      values,
      `The DKIM key at ${name} is empty, which revokes it.`,
      change,
    )
  if (key.publicKey !== publicKey) {
    const isCut = publicKey.startsWith(key.publicKey)
    const what = isCut
      ? `The DKIM key at ${name} is cut off after ${key.publicKey.length} of ${publicKey.length} characters.`
      : `The DKIM key at ${name} is not the one shown here.`
    return verdict('different', values, what, change)
  }
  if (key.algorithm !== 'rsa' || !key.isForMail)
    return verdict(
      'different',
      values,
      `The key at ${name} is right, but its other tags forbid using it for this mail.`,
      change,
    )
  return verdict('verified', values)
}

/** Any valid policy will do, and stays. */
export const compareDmarc = (values: string[], name: string): Verdict => {
  const policies = values.filter(isDmarc)
  const [policy] = policies
  if (policy === undefined)
    return {
      ...verdict(
        'waiting',
        values,
        `There is no DMARC policy at ${name} yet.`,
        `Add a TXT record at ${name} with the value shown.`,
      ),
      value: DEFAULT_DMARC,
    }
  if (policies.length > 1)
    return verdict(
      'conflict',
      policies,
      `There are ${policies.length} DMARC policies at ${name}, so receivers apply none of them.`,
      'Keep one of them and remove the others.',
    )
  if (!parseDmarc(policy))
    return {
      ...verdict(
        'different',
        policies,
        `The DMARC policy at ${name} has a mistake in it, so receivers ignore it.`,
        `Change the TXT record at ${name} to the value shown.`,
      ),
      value: DEFAULT_DMARC,
    }
  return { ...verdict('verified', policies), value: policy }
}

/** By target. Where mail goes to others first, we would not get it. */
export const compareMx = (records: ResourceRecord[], name: string, mailHost: string): Verdict => {
  const hosts = records
    .map(({ data, preference = 0 }) => ({ host: data, preference }))
    .sort((a, b) => a.preference - b.preference)
  const found = hosts.map(({ host, preference }) => `${preference} ${host}`)
  const change = `When you want to receive mail here, let the MX records of ${name} name only ${mailHost}, with priority ${MX_PRIORITY}.`
  if (hosts.length === 0)
    return verdict(
      'waiting',
      [],
      `${name} has no MX record yet, so it receives no mail here.`,
      `Add an MX record at ${name} for ${mailHost} with priority ${MX_PRIORITY}.`,
    )
  const ours = hosts.find(({ host }) => host === mailHost.toLowerCase())
  const other = hosts.find(({ host }) => host !== mailHost.toLowerCase())
  if (!ours) {
    const what =
      other?.host === '.'
        ? `The MX record of ${name} says that it takes no mail.`
        : `Mail for ${name} goes to ${other?.host}.`
    return verdict('different', found, what, change)
  }
  if (other && other.preference <= ours.preference)
    return verdict(
      'conflict',
      found,
      `Some mail for ${name} goes to ${other.host}, whose MX record has the same or a better priority.`,
      change,
    )
  return verdict('verified', found)
}

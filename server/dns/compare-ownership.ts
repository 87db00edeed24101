/** Compares the ownership record exactly. Pure. */
import { howItDiffers, isQuoted, marksIn, unquoted } from './text-faults.ts'
import { type Verdict, verdict } from './verdict.ts'

export const ownershipValue = (token: string): string => `mailstead-verify=${token}`

/** Other TXT records at the name are ignored. */
export const compareOwnership = (values: string[], name: string, expected: string): Verdict => {
  if (values.some((value) => value.trim() === expected)) return verdict('verified', values)
  const claims = values.filter(
    (value) => /mailstead-verify/i.test(value) || isPart(value, expected),
  )
  const [claim] = claims
  if (claim === undefined)
    return verdict(
      'waiting',
      values,
      `There is no ownership record at ${name} yet.`,
      `Add a TXT record at ${name} with the value shown.`,
    )
  const marked = claims.find((value) => isQuoted(value) && unquoted(value) === expected)
  if (marked !== undefined)
    return verdict(
      'different',
      claims,
      `The value at ${name} is right, but ${marksIn(marked)} became part of it.`,
      `Enter the value at ${name} again without ${marksIn(marked)}.`,
    )
  const fault = howItDiffers(claim.trim(), expected)
  return verdict(
    'different',
    claims,
    fault === null
      ? `The TXT record at ${name} has another value than the one shown here.`
      : `The value at ${name} ${fault}.`,
    `Change the TXT record at ${name} to exactly the value shown, or add a second one with it.`,
  )
}

/** The token without its beginning, or with other text before it. */
const isPart = (value: string, expected: string): boolean => {
  const [found, token] = [unquoted(value), expected.slice(expected.indexOf('=') + 1)]
  return found.length >= 8 && (expected.endsWith(found) || found.includes(token))
}

/** Checks a DMARC policy: every valid one is accepted and kept (RFC 9989). Pure. */

import type { LookUpMemo } from '#server/lib/dns/dns.ts'
import {
  DEFAULT_DMARC,
  discoverDmarc,
  dmarcFault,
  isDmarc,
  mendedDmarc,
  parseDmarc,
} from '#server/standards/dns-records/dmarc-record.ts'
import type { SpfLookUp } from '#server/standards/dns-records/spf-check.ts'
import { isQuoted, marksIn, unquoted } from './text-faults.ts'
import { type Verdict, verdict } from './verdict.ts'

export const compareDmarc = (values: string[], name: string): Verdict => {
  const policies = values.filter(isDmarc)
  const [policy] = policies
  if (policy === undefined) return withoutPolicy(values, name)
  if (policies.length > 1)
    return verdict(
      'conflict',
      policies,
      `There are ${policies.length} DMARC policies at ${name}, so receivers apply none of them.`,
      `Keep one of the TXT records at ${name} and remove the others.`,
    )
  if (parseDmarc(policy)) return { ...verdict('verified', policies), value: policy }
  return withMistake(policies, policy, name)
}

/** A subdomain without its own policy has the policy of its organizational domain (RFC 9989 §4.10). */
export const withInheritedPolicy = async (
  { domain, lookUp, memo }: { domain: string; lookUp: SpfLookUp; memo: LookUpMemo },
  own: Verdict,
): Promise<Verdict> => {
  if (own.state !== 'waiting') return own
  const policy = await dmarcAbove(domain, lookUp, memo)
  if (policy === null || policy === 'failed') return own
  return {
    ...verdict(
      'verified',
      [policy.text],
      `${domain} has no DMARC policy of its own, so the one at ${policy.name} applies to it.`,
    ),
    value: policy.text,
  }
}

const withMistake = (values: string[], policy: string, name: string): Verdict => ({
  ...verdict(
    'different',
    values,
    `The DMARC policy at ${name} has a mistake in it, so receivers ignore it: ${dmarcFault(policy)}.`,
    `Change the TXT record at ${name} to the value shown: yours, corrected.`,
  ),
  value: mendedDmarc(policy),
})

const withoutPolicy = (values: string[], name: string): Verdict => {
  const broken = values.find((text) => isDmarc(unquoted(text)) || /\bDMARC1\b/i.test(text))
  if (broken === undefined)
    return {
      ...verdict(
        'waiting',
        values,
        `There is no DMARC policy at ${name} yet.`,
        `Add a TXT record at ${name} with the value shown.`,
      ),
      value: DEFAULT_DMARC,
    }
  const plain = unquoted(broken)
  if (!isQuoted(broken) || !parseDmarc(plain)) return withMistake(values, plain, name)
  return {
    ...verdict(
      'different',
      values,
      `The DMARC policy at ${name} is right, but ${marksIn(broken)} became part of it, so receivers ignore it.`,
      `Enter the value at ${name} again without ${marksIn(broken)}.`,
    ),
    value: plain,
  }
}

/**
 * The DMARC policy that a domain inherits, looked up once per check. `failed`: DNS did not answer. Top-level domains are not
 * queried.
 */
export const dmarcAbove = async (
  domain: string,
  lookUp: SpfLookUp,
  memo: LookUpMemo,
): ReturnType<typeof discoverDmarc> => {
  const parent = domain.slice(domain.indexOf('.') + 1)
  if (!parent.includes('.')) return null
  const key = `dmarc above ${domain}`
  const known = memo.get(key) as ReturnType<typeof discoverDmarc> | undefined
  const asking = known ?? discoverDmarc(parent, (name) => lookUp(name, 'TXT'))
  memo.set(key, asking)
  return asking
}

/** The present state of a domain as a check found it: zone, MX, SPF and DMARC (decision 017). */

import { dmarcAbove } from '#server/dns/compare-dmarc.ts'
import { type Seen, settle } from '#server/dns/seen.ts'
import type { LookUpMemo, Observation } from '#server/lib/dns/dns.ts'
import { printable } from '#server/lib/plain-text.ts'
import { within } from '#server/lib/wait.ts'
import { isDmarc, parseDmarc } from '#server/standards/dns-records/dmarc-record.ts'
import type { SpfLookUp } from '#server/standards/dns-records/spf-check.ts'
import { isSpf } from '#server/standards/dns-records/spf-record.ts'
import { parseTags } from '#server/standards/dns-records/tag-list.ts'
import { isPublicSuffix } from '#server/standards/domain-name.ts'
import type { PresentDmarc, PresentMx } from '#server/storage/rows/domain-tables.ts'
import type { SettingFacts } from './setting-queries.ts'

/** Each is null when its look-ups took too long. */
export type Observed = {
  /** TXT at the domain. */
  txt: Observation | null
  mx: Observation | null
  /** TXT at its `_dmarc` name. */
  dmarc: Observation | null
}

type Asked = {
  domain: string
  /** Our SPF mechanisms. */
  ourSpf: string[]
  lookUp: SpfLookUp
  memo: LookUpMemo
  /** Milliseconds of the system's clock. */
  giveUpAtMs: number
}

const MAX_VALUES = 20
const MAX_CHARACTERS = 4096

/** A fact is null when its query got no answer. Never throws for a DNS answer. */
export const settingFacts = async (
  { txt, mx, dmarc }: Observed,
  asked: Asked,
): Promise<SettingFacts> => {
  const all = [txt, mx, dmarc].filter((each) => each !== null)
  // The policy's name may lie in a zone of its own, so the domain's own zone comes first.
  // An unregistered domain lies in its registry's zone, where its owner cannot add records.
  const inZone = all.find(
    ({ zone, authorities }) => zone !== null && authorities.length > 0 && !isPublicSuffix(zone),
  )
  return {
    zone: inZone?.zone ?? null,
    nameServers: [...new Set(inZone?.authorities.map(({ host }) => host))].toSorted(),
    mx: presentMx(mx),
    spf: textsIn(presentIn(txt))?.filter(isSpf) ?? null,
    ourSpf: asked.ourSpf,
    dmarc: await presentDmarc(textsIn(presentIn(dmarc)), asked),
  }
}

/** If the servers of a zone disagree, the answer of most of them. */
const presentIn = (observation: Observation | null): Seen | null => {
  if (observation === null) return null
  const settled = settle(observation)
  if (settled.kind === 'nothing') return null
  if (settled.kind === 'one') return settled.seen
  return settled.groups.toSorted((a, b) => b.hosts.length - a.hosts.length)[0]?.seen ?? null
}

const textsIn = (seen: Seen | null): string[] | null =>
  seen?.records.slice(0, MAX_VALUES).map(({ data }) => shown(data)) ?? null

/** The text may be hostile: control characters are marked, and the length is cut above that of any real record. */
const shown = (text: string): string => printable(text).slice(0, MAX_CHARACTERS).toWellFormed()

const presentMx = (observation: Observation | null): PresentMx[] | null => {
  const records = presentIn(observation)?.records
  const hosts = records?.map(({ data, preference = 0 }) => ({
    host: shown(data.toLowerCase()),
    priority: preference,
  }))
  return (
    hosts
      ?.sort((a, b) => a.priority - b.priority || (a.host < b.host ? -1 : 1))
      .slice(0, MAX_VALUES) ?? null
  )
}

const presentDmarc = async (texts: string[] | null, asked: Asked): Promise<PresentDmarc | null> => {
  if (texts === null) return null
  const own = texts.filter(isDmarc)
  const [text] = own
  if (text === undefined) return policyAbove(asked)
  const record = own.length === 1 ? parseDmarc(text) : null
  const at = `_dmarc.${asked.domain}`
  return record ? { found: own, policy: record.policy, at } : { found: own, policy: null, at: null }
}

/** A subdomain without its own policy gets the subdomain policy of its organisational domain (RFC 9989 §4.7). */
const policyAbove = async (asked: Asked): Promise<PresentDmarc | null> => {
  const { domain, lookUp, memo, giveUpAtMs } = asked
  const above = await within(giveUpAtMs, dmarcAbove(domain, lookUp, memo), 'failed')
  if (above === 'failed') return null
  if (above === null) return { found: [], policy: null, at: null }
  const policy = parseDmarc(above.text)?.policy ?? null
  const forSubdomains = parseTags(above.text)?.get('sp')?.toLowerCase()
  return {
    found: [shown(above.text)],
    policy: policies.find((each) => each === forSubdomains) ?? policy,
    at: above.name,
  }
}

const policies = ['none', 'quarantine', 'reject'] as const

/** Common mistakes in DNS, made as people make them. */
import type { AskedRecord } from '../sandbox/added-domains.ts'
import { allMistakes } from '../sandbox/mistakes/all-mistakes.ts'
import { OTHER_PROVIDER } from '../sandbox/mistakes/mistake.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { SandboxZones } from '../world/sandbox-zones.ts'

export type Fault =
  | 'nothing published'
  | 'no such domain'
  | 'only the proof'
  | 'no DMARC'
  | 'host name doubled'
  | 'name servers fail'
  | 'two SPF records'
  | 'DKIM key cut off'
  | 'proof of somebody else'
  | 'mistake in DMARC'
  | 'SPF without us'

type Make = (sandbox: Sandbox, domain: string, records: readonly AskedRecord[]) => void

/** More includes than receivers follow. */
const CHAIN_LENGTH = 12

/** Another mail provider, which some domains used before. */
export const openOtherProvider = (zones: SandboxZones): void => {
  zones.addZone(OTHER_PROVIDER, true)
  zones.set(`_spf.${OTHER_PROVIDER}`, 'TXT', ['v=spf1 ip4:198.51.100.0/24 ~all'])
  zones.set(`mx.${OTHER_PROVIDER}`, 'A', ['198.51.100.10'])
  zones.set(`sites.${OTHER_PROVIDER}`, 'A', ['198.51.100.20'])
  for (let n = 1; n <= CHAIN_LENGTH; n++) {
    const next = n < CHAIN_LENGTH ? `include:_chain${n + 1}.${OTHER_PROVIDER} ` : ''
    zones.set(`_chain${n}.${OTHER_PROVIDER}`, 'TXT', [`v=spf1 ${next}~all`])
  }
}

const mistaken =
  (id: string, isRestPublished = true): Make =>
  (sandbox, domain, records) => {
    const mistake = allMistakes.find((each) => each.id === id)
    if (!mistake) throw new Error(`no mistake is called ${id}`)
    if (isRestPublished) sandbox.publish(domain, records)
    sandbox.make(domain, records, mistake)
  }

const only =
  (isMeant: (record: AskedRecord) => boolean): Make =>
  (sandbox, domain, records) =>
    sandbox.publish(domain, records.filter(isMeant))

export const makeFault: Record<Fault, Make> = {
  'nothing published': ({ zones }, domain) => zones.addZone(domain),
  'no such domain': () => {},
  'only the proof': only(({ purpose }) => purpose === 'ownership'),
  'no DMARC': only(({ purpose }) => purpose !== 'dmarc'),
  'host name doubled': mistaken('ownership-doubled', false),
  'name servers fail': mistaken('servers-failing'),
  'two SPF records': mistaken('spf-two'),
  'DKIM key cut off': mistaken('dkim-cut'),
  'proof of somebody else': mistaken('ownership-other', false),
  'mistake in DMARC': mistaken('dmarc-policy'),
  'SPF without us': mistaken('spf-without-us'),
}

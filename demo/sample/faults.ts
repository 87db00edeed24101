/** What goes wrong in people's DNS, each made as they make it. */
import { type AskedRecord, publish } from '../sandbox/publish.ts'
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

type Make = (zones: SandboxZones, domain: string, records: readonly AskedRecord[]) => void

export const OTHER_PROVIDER = 'bigmail.example'
const otherSpf = `v=spf1 include:_spf.${OTHER_PROVIDER} ~all`

/** Another mail provider, which some domains used before. */
export const openOtherProvider = (zones: SandboxZones): void => {
  zones.addZone(OTHER_PROVIDER)
  zones.set(`_spf.${OTHER_PROVIDER}`, 'TXT', ['v=spf1 ip4:198.51.100.0/24 ~all'])
  zones.set(`mx.${OTHER_PROVIDER}`, 'A', ['198.51.100.10'])
}

const but =
  (mistake: Make): Make =>
  (zones, domain, records) => {
    publish(zones, domain, records)
    mistake(zones, domain, records)
  }

const named = (records: readonly AskedRecord[], purpose: AskedRecord['purpose']): AskedRecord => {
  const record = records.find((each) => each.purpose === purpose)
  if (!record) throw new Error(`no ${purpose} record is asked for`)
  return record
}

export const makeFault: Record<Fault, Make> = {
  'nothing published': (zones, domain) => zones.addZone(domain),
  'no such domain': () => {},
  'only the proof': (zones, domain, records) =>
    publish(zones, domain, [named(records, 'ownership')]),
  'no DMARC': but((zones, _domain, records) => zones.set(named(records, 'dmarc').name, 'TXT', [])),
  'host name doubled': (zones, domain, records) => {
    const { name, value } = named(records, 'ownership')
    zones.addZone(domain)
    zones.set(`${name}.${domain}`, 'TXT', [value])
  },
  'name servers fail': but((zones, domain) => zones.setFailing(domain, true)),
  'two SPF records': but((zones, domain, records) =>
    zones.set(domain, 'TXT', [otherSpf, named(records, 'spf').value]),
  ),
  'DKIM key cut off': but((zones, _domain, records) => {
    const { name, value } = named(records, 'dkim')
    zones.set(name, 'TXT', [value.slice(0, 255)])
  }),
  'proof of somebody else': (zones, domain, records) => {
    zones.addZone(domain)
    const { name } = named(records, 'ownership')
    zones.set(name, 'TXT', ['mailstead-verify=5d1f0c7a9b3e4826a7c4d2e1f0b9a8c7d6e5f4a3'])
  },
  'mistake in DMARC': but((zones, _domain, records) =>
    zones.set(named(records, 'dmarc').name, 'TXT', ['v=DMARC1; p=nothing']),
  ),
  'SPF without us': but((zones, domain) => zones.set(domain, 'TXT', [otherSpf])),
}

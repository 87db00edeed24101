/** What the buttons of 'Sandbox DNS' do. What a provider's editor would refuse is refused; other mistakes are welcome. */
import { isIPv4, isIPv6 } from 'node:net'
import { type RecordType, recordTypes, type SandboxZones } from '../world/sandbox-zones.ts'
import { type AskedRecord, publish } from './publish.ts'

/** Its message is a sentence for the page. */
export class Mistyped extends Error {}

export const changeZones = (
  zones: SandboxZones,
  form: URLSearchParams,
  asked: readonly AskedRecord[],
): void => {
  const field = (name: string) => (form.get(name) ?? '').trim()
  const domain = field('domain')
  switch (field('action')) {
    case 'publish':
      if (asked.length === 0) throw new Mistyped('Nobody has added this domain yet.')
      publish(zones, domain, asked)
      break
    case 'create':
      if (asked.length === 0) throw new Mistyped('Nobody has added this domain yet.')
      zones.addZone(domain)
      break
    case 'delete':
      zones.removeZone(zones.zoneOf(domain) ?? domain)
      break
    case 'break':
      zones.setFailing(domain, true)
      break
    case 'mend':
      zones.setFailing(domain, false)
      break
    case 'add': {
      const [name, type] = [nameIn(zones, domain, field('host')), typeOf(field('type'))]
      const value = checkedValue(type, field('value'))
      zones.set(name, type, [...zones.valuesOf(name, type), value])
      break
    }
    case 'change':
    case 'remove': {
      const [name, type] = [field('name'), typeOf(field('type'))]
      const old = form.get('old') ?? ''
      const present = zones.zoneOf(name) === null ? [] : zones.valuesOf(name, type)
      const at = present.indexOf(old)
      if (at < 0) throw new Mistyped('This record is not there any more.')
      const isGone = field('action') === 'remove'
      const values = isGone ? [] : [checkedValue(type, field('value'))]
      zones.set(name, type, present.toSpliced(at, 1, ...values))
      break
    }
    default:
      throw new Mistyped('That button is not known here.')
  }
}

const typeOf = (given: string): RecordType => {
  const type = recordTypes.find((each) => each === given)
  if (!type) throw new Mistyped(`The type is one of ${recordTypes.join(', ')}.`)
  return type
}

/** As most providers do it: the zone is put behind whatever was typed, also behind what ends in it already. */
const nameIn = (zones: SandboxZones, domain: string, host: string): string => {
  const zone = zones.zoneOf(domain)
  if (zone === null) throw new Mistyped(`There is no zone ${domain} yet.`)
  const name = host === '' || host === '@' ? zone : `${host.replace(/\.$/, '')}.${zone}`
  if (!isName(name))
    throw new Mistyped('A host has letters, digits, hyphens, underscores and dots.')
  return name.toLowerCase()
}

const isName = (name: string): boolean =>
  name.length <= 253 && name.split('.').every((label) => /^(\*|[a-z0-9_-]{1,63})$/i.test(label))

const MAX_TXT_BYTES = 4_000

const checkedValue = (type: RecordType, value: string): string => {
  const sentence = faultOf[type](value)
  if (sentence !== null) throw new Mistyped(sentence)
  return value
}

const faultOf: Record<RecordType, (value: string) => string | null> = {
  TXT: (value) =>
    value === '' || Buffer.byteLength(value) > MAX_TXT_BYTES ? 'A TXT record needs a text.' : null,
  MX: (value) => {
    const [, priority = '', host = ''] = /^(\d{1,5})\s+(\S+)$/.exec(value) ?? []
    const isGood = priority !== '' && Number(priority) < 65_536 && (host === '.' || isHost(host))
    return isGood ? null : 'An MX record is a priority and a host, such as 10 mail.example.com.'
  },
  CNAME: (value) => (isHost(value) ? null : 'A CNAME record is the name of a host.'),
  A: (value) => (isIPv4(value) ? null : 'An A record is an IPv4 address.'),
  AAAA: (value) => (isIPv6(value) ? null : 'An AAAA record is an IPv6 address.'),
}

const isHost = (host: string): boolean => isName(host.replace(/\.$/, ''))

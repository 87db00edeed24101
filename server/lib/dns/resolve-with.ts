/** Look-ups in the shape of `dns.promises.resolve`, which mail libraries take as their resolver. */
import type { RecordType, ResourceRecord } from '../dns.ts'
import type { Answered } from './ask-servers.ts'

const codes = { nxdomain: 'ENOTFOUND', nodata: 'ENODATA', timeout: 'ETIMEOUT', failed: 'ESERVFAIL' }

const shapes: Record<RecordType, (record: ResourceRecord) => unknown> = {
  A: ({ data }) => data,
  AAAA: ({ data }) => data,
  CNAME: ({ data }) => data,
  NS: ({ data }) => data,
  PTR: ({ data }) => data,
  TXT: ({ data, strings }) => strings ?? [data],
  SPF: ({ data, strings }) => strings ?? [data],
  MX: ({ data, preference }) => ({ exchange: data === '.' ? '' : data, priority: preference ?? 0 }),
  SRV: ({ data }) => {
    const [priority, weight, port, name] = data.split(' ')
    return { priority: Number(priority), weight: Number(weight), port: Number(port), name }
  },
  SOA: ({ data }) => {
    const [nsname, hostmaster, ...times] = data.split(' ')
    const [serial, refresh, retry, expire, minttl] = times.map(Number)
    return { nsname, hostmaster, serial, refresh, retry, expire, minttl }
  },
  TLSA: ({ data }) => {
    const [certUsage, selector, match, hex] = data.split(' ')
    return {
      certUsage: Number(certUsage),
      selector: Number(selector),
      match: Number(match),
      data: Buffer.from(hex ?? '', 'hex'),
    }
  },
}

const isKnown = (type: string): type is RecordType => Object.hasOwn(shapes, type)

export const resolveWith =
  (lookUp: (name: string, type: RecordType) => Promise<Answered>) =>
  async (name: string, type = 'A'): Promise<unknown[]> => {
    const wanted = type.toUpperCase()
    if (!isKnown(wanted)) throw failure('ENOTIMP', wanted, name)
    const answer = await lookUp(name, wanted)
    if (answer.outcome === 'found') return answer.records.map(shapes[wanted])
    if (answer.outcome === 'none')
      throw failure(answer.isNxdomain ? codes.nxdomain : codes.nodata, wanted, name)
    throw failure(answer.isTimeout ? codes.timeout : codes.failed, wanted, name)
  }

const failure = (code: string, type: string, hostname: string): Error =>
  Object.assign(new Error(`query${type} ${code} ${hostname}`), { code, hostname })

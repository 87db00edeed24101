/** DNSBL: a client on one of the lists that the operator chose gets no mail in. A list that does not answer lists nobody. */
import type { App } from '#server/app.ts'
import { isListing, reversedAddress } from '#server/standards/junk/dnsbl.ts'
import { isStranger } from './guessing.ts'
import { printable, SmtpRefusal } from './smtp-refusal.ts'

type Listing = { zone: string; reason: string }

/** @throws SmtpRefusal that names the list, and its reason where it gives one. */
export const refuseListed = async (app: App, ip: string): Promise<void> => {
  const { dnsbl } = app.config
  if (dnsbl.length === 0 || !isStranger(app, ip)) return
  const found = await Promise.all(dnsbl.map((zone) => listingOf(app, ip, zone)))
  const [first] = found.filter((listing) => listing !== null)
  if (first === undefined) return
  const { zone, reason } = first
  throw new SmtpRefusal(
    '550 5.7.1',
    `${ip} is on the block list ${zone}${reason === '' ? '' : `: ${reason}`}`,
  )
}

const listingOf = async (app: App, ip: string, zone: string): Promise<Listing | null> => {
  const reversed = reversedAddress(ip)
  if (reversed === null) return null
  const name = `${reversed}.${zone}`
  const answer = await app.dns.lookUp(name, 'A')
  if (answer.outcome === 'failed')
    app.log.debug({ zone, reason: answer.reason }, 'a block list did not answer')
  if (answer.outcome !== 'found' || !answer.records.some(({ data }) => isListing(data))) return null
  const text = await app.dns.lookUp(name, 'TXT')
  const reason = text.outcome === 'found' ? (text.records[0]?.data ?? '') : ''
  return { zone, reason: printable(reason, 200) }
}

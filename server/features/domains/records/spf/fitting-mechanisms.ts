/** Our part of an SPF record that is there already: what keeps it within the 10 look-ups that receivers make. */
import { checkSpf, type SpfLookUp } from '#server/standards/dns-records/spf-check.ts'
import { expectedSpf } from '#server/standards/dns-records/spf-record.ts'
import { addressMechanisms, type Senders } from '../sending-addresses.ts'

type Asked = { name: string; mailHost: string; senders: Senders; lookUp: SpfLookUp }

/** Matched by no mechanism but `all`, so every look-up of a record is made for it. */
const NOBODYS_IP = '240.0.0.1'

/** Our addresses one by one, where the name that we are included by would take a look-up too many. */
export const fittingMechanisms = async (
  existing: readonly string[],
  asked: Asked,
): Promise<string[]> => {
  const { ips, mechanisms } = asked.senders
  const asksDns = mechanisms.some((each) => /^(?:include|a):/i.test(each))
  if (!asksDns || existing.length === 0 || ips === null || ips.length === 0) return mechanisms
  const addresses = addressMechanisms(ips)
  const isTooMuch = (ours: string[]) => needsTooMuch(expectedSpf(existing, ours), asked)
  return (await isTooMuch(mechanisms)) && !(await isTooMuch(addresses)) ? addresses : mechanisms
}

const needsTooMuch = async (record: string, { name, mailHost, lookUp }: Asked) => {
  const sender = { ip: NOBODYS_IP, mailFrom: `postmaster@${name}`, helo: mailHost }
  return (await checkSpf(record, name, sender, lookUp)).fault === 'too-many-look-ups'
}

/** MAIL_HOST is the operator's domain: system mail is signed for it, so its records are checked at every start. */
import type { App } from '#server/app.ts'
import { compareDkim } from '#server/dns/compare-dkim.ts'
import { compareDmarc } from '#server/dns/compare-dmarc.ts'
import type { Senders } from '#server/dns/compare-spf.ts'
import { compareSpf } from '#server/dns/compare-spf.ts'
import { couldNotCheck, type Verdict, valuesOf } from '#server/dns/verdict.ts'
import { systemKeyOf } from '#server/features/outbox/send-system-mail.ts'
import { expectedDkim } from '#server/standards/dns-records/dkim-record.ts'
import { DEFAULT_DMARC } from '#server/standards/dns-records/dmarc-record.ts'
import { checkSpf } from '#server/standards/dns-records/spf-check.ts'
import { expectedSpf, isSpf } from '#server/standards/dns-records/spf-record.ts'
import { sendersOf, spfLookUp } from './senders.ts'

type Wanted = {
  name: string
  value: string
  compare: (values: string[]) => Verdict | Promise<Verdict>
}

/**
 * Lines for the terminal: what the operator should publish or fix; empty when all is well. Makes the key of MAIL_HOST at the
 * first start.
 */
export const checkMailHost = async (app: App): Promise<string[]> => {
  const key = await systemKeyOf(app, app.db)
  const senders = await sendersOf(app)
  const { mailHost } = app.config
  const dkimName = `${key.selector}._domainkey.${mailHost}`
  const dmarcName = `_dmarc.${mailHost}`
  const wanted: Wanted[] = [
    {
      name: mailHost,
      value: expectedSpf([], senders.mechanisms),
      compare: (values) =>
        compareSpf(values, { name: mailHost, mailHost, senders, lookUp: spfLookUp(app) }),
    },
    {
      name: dkimName,
      value: expectedDkim('rsa', key.publicKey),
      compare: (values) => compareDkim(values, dkimName, key.publicKey),
    },
    {
      name: dmarcName,
      value: DEFAULT_DMARC,
      compare: (values) => compareDmarc(values, dmarcName),
    },
  ]
  const lines = await Promise.all(wanted.map((record) => adviceOn(app, record)))
  return [...lines.flat(), ...(await adviceOnInclude(app, senders))]
}

const adviceOn = async (app: App, { name, value, compare }: Wanted): Promise<string[]> => {
  const values = valuesOf(await app.dns.lookUpAtSource(name, 'TXT'))
  const verdict = values === null ? couldNotCheck('DNS did not answer') : await compare(values)
  if (verdict.state === 'verified') return []
  if (verdict.state === 'unknown') return [`${name}: ${verdict.explanation}`]
  return [`${verdict.explanation} Publish: ${name} TXT "${verdict.value ?? value}"`]
}

/** The SPF record of every domain here includes this name, so it must authorise our addresses. */
const adviceOnInclude = async (app: App, { ips }: Senders): Promise<string[]> => {
  const { spfInclude, mailHost } = app.config
  if (spfInclude === null || ips === null) return []
  const values = valuesOf(await app.dns.lookUp(spfInclude, 'TXT'))
  if (values === null) return [`SPF_INCLUDE is ${spfInclude}, which could not be looked up.`]
  const record = values.find(isSpf)
  if (record === undefined) return [`SPF_INCLUDE is ${spfInclude}, which has no SPF record.`]
  const advice: string[] = []
  for (const ip of ips) {
    const sender = { ip, mailFrom: `postmaster@${mailHost}`, helo: mailHost }
    const { result } = await checkSpf(record, spfInclude, sender, spfLookUp(app))
    if (result !== 'pass')
      advice.push(`SPF_INCLUDE is ${spfInclude}, which does not let ${ip} send (${result}).`)
  }
  return advice
}

/** MAIL_HOST is the operator's domain: system mail is signed for it, so its records are checked at every start. */
import type { App } from '#server/app.ts'
import { compareDkim } from '#server/dns/compare-dkim.ts'
import { compareDmarc } from '#server/dns/compare-dmarc.ts'
import type { Senders } from '#server/dns/compare-spf.ts'
import { compareSpf } from '#server/dns/compare-spf.ts'
import { couldNotCheck, type Verdict, valuesOf } from '#server/dns/verdict.ts'
import { type PublicSystemKey, systemKeyOf } from '#server/features/outbox/send-system-mail.ts'
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

type Place = Pick<App, 'config' | 'dns'>

export type MailHostFault = {
  /** One sentence. */
  says: string
  /** What to publish; null where the record could not be checked, or another one is at fault. */
  record: { name: string; type: 'TXT'; value: string } | null
  /** Whether DNS gave an answer. */
  isKnown: boolean
}

/**
 * Lines for the terminal: what the operator should publish or fix; empty when all is well. Makes the key of MAIL_HOST at the
 * first start.
 */
export const checkMailHost = async (app: App): Promise<string[]> => {
  const faults = await mailHostFaults(app, await systemKeyOf(app, app.db))
  return faults.map(({ says, record }) =>
    record === null ? says : `${says} Publish: ${record.name} ${record.type} "${record.value}"`,
  )
}

/** What is wrong with the records by which others believe mail from MAIL_HOST. `key` null: it was not made yet. */
export const mailHostFaults = async (
  app: Place,
  key: PublicSystemKey | null,
): Promise<MailHostFault[]> => {
  const senders = await sendersOf(app)
  const { mailHost } = app.config
  const dmarcName = `_dmarc.${mailHost}`
  const wanted: Wanted[] = [
    {
      name: mailHost,
      value: expectedSpf([], senders.mechanisms),
      compare: (values) =>
        compareSpf(values, { name: mailHost, mailHost, senders, lookUp: spfLookUp(app) }),
    },
    ...(key === null ? [] : [wantedDkim(mailHost, key)]),
    {
      name: dmarcName,
      value: DEFAULT_DMARC,
      compare: (values) => compareDmarc(values, dmarcName),
    },
  ]
  const [including, ...faults] = await Promise.all([
    adviceOnInclude(app, senders),
    ...wanted.map((record) => faultOf(app, record)),
  ])
  return [...faults.flat(), ...including]
}

const wantedDkim = (mailHost: string, { selector, publicKey }: PublicSystemKey): Wanted => {
  const name = `${selector}._domainkey.${mailHost}`
  return {
    name,
    value: expectedDkim('rsa', publicKey),
    compare: (values) => compareDkim(values, name, publicKey),
  }
}

const faultOf = async (app: Place, { name, value, compare }: Wanted): Promise<MailHostFault[]> => {
  const values = valuesOf(await app.dns.lookUpAtSource(name, 'TXT'))
  const verdict = values === null ? couldNotCheck('DNS did not answer') : await compare(values)
  if (verdict.state === 'verified') return []
  if (verdict.state === 'unknown')
    return [{ says: `${name}: ${verdict.explanation}`, record: null, isKnown: false }]
  const record = { name, type: 'TXT' as const, value: verdict.value ?? value }
  return [{ says: verdict.explanation, record, isKnown: true }]
}

/** The SPF record of every domain here includes this name, so it must authorise our addresses. */
const adviceOnInclude = async (app: Place, { ips }: Senders): Promise<MailHostFault[]> => {
  const { spfInclude, mailHost } = app.config
  if (spfInclude === null || ips === null) return []
  const fault = (says: string, isKnown = true) => ({ says, record: null, isKnown })
  const values = valuesOf(await app.dns.lookUp(spfInclude, 'TXT'))
  if (values === null)
    return [fault(`SPF_INCLUDE is ${spfInclude}, which could not be looked up.`, false)]
  const record = values.find(isSpf)
  if (record === undefined) return [fault(`SPF_INCLUDE is ${spfInclude}, which has no SPF record.`)]
  const advice: MailHostFault[] = []
  for (const ip of ips) {
    const sender = { ip, mailFrom: `postmaster@${mailHost}`, helo: mailHost }
    const { result } = await checkSpf(record, spfInclude, sender, spfLookUp(app))
    if (result !== 'pass')
      advice.push(fault(`SPF_INCLUDE is ${spfInclude}, which does not let ${ip} send (${result}).`))
  }
  return advice
}

/** Mails the Admins of a workspace once when records of its domains fail, and once when they are right again. */
import type { RecordPurpose } from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import {
  lockRecordsToAlert,
  markAlerted,
  type RecordToAlert,
  readWorkspacesToAlert,
} from '#server/features/domains/failing-queries.ts'
import type { Paragraph } from '#server/features/outbox/letter-html.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, type Mail, quoted } from '#server/features/outbox/system-mail.ts'
import { lockWorkspaces } from '#server/features/workspaces/hold-right.ts'
import { dnsMailEmails } from '#server/features/workspaces/member-emails.ts'
import { HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import type { Db } from '#server/storage/database.ts'
import { readMailedAt, writeMailedAt } from './alerts-store.ts'

/** A fault at one DNS provider shows in many domains within minutes: these share one mail. */
const GATHER_SECONDS = 600
/** Least time between two mails. Checks of a workspace's domains are spread over hours: later faults share the next mail. */
const APART_SECONDS = HOUR_SECONDS

/** Returns the number of workspaces whose Admins got a mail. */
export const mailDomainAlerts = async (app: App): Promise<number> => {
  let count = 0
  for (const workspaceId of await readWorkspacesToAlert(app.db)) {
    try {
      if (await app.db.transaction().execute((tx) => mailWorkspace(app, tx, workspaceId)))
        count += 1
    } catch (error) {
      app.log.error({ err: error, workspaceId }, 'the Admins could not be told of failing records')
    }
  }
  return count
}

const mailWorkspace = async (app: App, tx: Db, workspaceId: string): Promise<boolean> => {
  // Locked, so that a second process finds nothing left to report.
  await lockWorkspaces(tx, [workspaceId])
  const now = app.clock.now()
  const mailedAt = await readMailedAt(tx, workspaceId)
  if (mailedAt !== null && now < secondsAfter(mailedAt, APART_SECONDS)) return false
  const records = await lockRecordsToAlert(tx, workspaceId)
  const isGathered = ({ failedAt, changedAt }: RecordToAlert) =>
    now >= secondsAfter(failedAt ?? changedAt ?? now, GATHER_SECONDS)
  if (!records.some(isGathered)) return false
  const failing = records.filter(({ failures }) => failures > 0)
  const mended = records.filter(({ failures }) => failures === 0)
  const mail = alertMail({ failing, mended, publicUrl: app.config.publicUrl })
  for (const to of await dnsMailEmails(tx, workspaceId))
    await sendSystemMail(app, tx, { to, ...mail })
  await markAlerted(tx, workspaceId, now)
  await writeMailedAt(tx, workspaceId, now)
  return true
}

type Told = Pick<
  RecordToAlert,
  'domainId' | 'domainName' | 'purpose' | 'type' | 'name' | 'value' | 'priority' | 'found'
> & { explanation: string; fix: string }

type Content = { failing: Told[]; mended: Told[]; publicUrl: string }

const MOST_TOLD = 10
const MOST_NAMED = 20
const MOST_VALUES = 3
const MAX_TEXT = 300

/** The mails about records that fail or are right again: what was found and what to do. Pure. */
export const alertMail = ({ failing, mended, publicUrl }: Content): Mail => {
  const isFailing = failing.length > 0
  const about = domainsOf(isFailing ? failing : mended)
  const what = about.length === 1 ? about[0] : `${about.length} domains`
  const ids = new Set([...failing, ...mended].map(({ domainId }) => domainId))
  const [id] = ids
  return compose({
    subject: isFailing ? `DNS of ${what} needs attention` : `DNS of ${what} is right again`,
    preview: isFailing ? failingStart(failing.length) : 'There is nothing to do about this.',
    greeting: 'Hello,',
    before: [...(isFailing ? failingTexts(failing) : []), ...mendedTexts(mended)],
    button:
      ids.size === 1
        ? { label: 'See the records', link: `${publicUrl}/dashboard/domains/${id}` }
        : { label: 'See the domains', link: `${publicUrl}/dashboard/domains` },
    after: [
      ...(isFailing
        ? ['We keep checking, and write again when it is right.']
        : ['There is nothing to do about this.']),
    ],
    reason: 'You get this mail as an Admin of the workspace that these domains are in.',
    ending: {
      text: 'To get no more mails about DNS, turn them off in your profile:',
      link: `${publicUrl}/dashboard/profile#preferences`,
    },
  })
}

const failingStart = (count: number): string =>
  `${count === 1 ? 'A record that was right is' : `${count} records that were right are`} no longer so.`

const failingTexts = (failing: Told[]): Paragraph[] => {
  const told = failing.slice(0, MOST_TOLD)
  const others = domainsOf(failing.slice(MOST_TOLD))
  return [
    `${failingStart(failing.length)} Three checks in a row found this, and more than one server sees it. Mail is received and sent here as before, but other mail servers may refuse it until this is mended.`,
    ...told.flatMap(oneFailing),
    ...(others.length > 0 ? [`More records fail, of ${namesOf(others)}.`] : []),
  ]
}

const oneFailing = (record: Told): Paragraph[] => {
  const { type, name, value, priority, found, explanation, fix, purpose } = record
  const values = found.slice(0, MOST_VALUES).map((text) => `“${quoted(text, MAX_TEXT)}”`)
  const more = found.length > MOST_VALUES ? ` and ${found.length - MOST_VALUES} more` : ''
  return [
    `${capital(labelOf(record))}: ${quoted(noLonger(explanation), MAX_TEXT)} Found at ${name} (${type}): ${values.length === 0 ? 'nothing' : values.join(', ')}${more}.`,
    `${quoted(fix.replace('the value shown', 'the value below'), MAX_TEXT)} ${consequences[purpose]} The value to publish:`,
    { value: priority === null ? value : `${priority} ${value}` },
  ]
}

const mendedTexts = (mended: Told[]): string[] => {
  if (mended.length === 0) return []
  const named = mended.slice(0, MOST_NAMED).map(labelOf)
  const more = mended.length > MOST_NAMED ? ` and ${mended.length - MOST_NAMED} more` : ''
  return [
    `${mended.length === 1 ? 'This is' : 'These are'} right again: ${named.join(', ')}${more}.`,
  ]
}

const labelOf = ({ purpose, domainName }: Told): string =>
  `the ${labels[purpose]} record of ${toUnicodeDomain(domainName)}`

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const labels: Record<RecordPurpose, string> = {
  ownership: 'ownership',
  spf: 'SPF',
  dkim: 'DKIM',
  dmarc: 'DMARC',
  mx: 'MX',
  'dkim-ed25519': 'second DKIM',
  'srv-imaps': 'IMAP (SRV)',
  'srv-submissions': 'sending (SRV)',
  'srv-imap': 'IMAP with STARTTLS (SRV)',
  'srv-submission': 'sending with STARTTLS (SRV)',
  autoconfig: 'autoconfig',
  autodiscover: 'autodiscover',
  pacc: 'PACC',
  'pacc-digest': 'PACC digest',
  'mta-sts-host': 'MTA-STS host',
  'mta-sts': 'MTA-STS',
  'tls-rpt': 'TLS reporting',
}

const suspect = 'Until then, mail from this domain may be refused or taken for junk.'
const byHand = 'Until then, some mail programs must be set up by hand; those that are set up go on.'
const consequences: Record<RecordPurpose, string> = {
  ownership: 'It is how we know that the domain is yours.',
  spf: suspect,
  dkim: suspect,
  dmarc: suspect,
  mx: 'Until then, mail to this domain may not arrive here.',
  'dkim-ed25519': 'Until then, mail from this domain is signed with the first key alone.',
  'srv-imaps': byHand,
  'srv-submissions': byHand,
  'srv-imap': byHand,
  'srv-submission': byHand,
  autoconfig: byHand,
  autodiscover: byHand,
  pacc: byHand,
  'pacc-digest': byHand,
  'mta-sts-host': 'Until then, senders that keep the policy may hold mail to this domain back.',
  'mta-sts': 'Until then, senders need not use TLS for mail to this domain.',
  'tls-rpt': 'Until then, nobody reports on TLS with this domain.',
}

/** The page's sentences are for new domains; here the record was right before. */
const noLonger = (explanation: string): string =>
  explanation
    .replace(/^There is no (.+) yet\.$/, 'There is no $1 any more.')
    .replace(/ yet([.,])/, '$1')

const domainsOf = (records: Told[]): string[] => [
  ...new Set(records.map(({ domainName }) => toUnicodeDomain(domainName))),
]

const namesOf = (names: string[]): string => {
  const shown = names.slice(0, MOST_NAMED).join(', ')
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown
}

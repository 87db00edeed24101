/**
 * The records of a domain as a zone file to import or include, with a comment on each about existing records
 * (decision 017).
 */
import { recordTitles } from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import { elsewhereOf, presentMail } from '#server/dns/receiving-changes.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type RecordRow, readRecords } from '#server/features/domains/record-queries.ts'
import type { SettingFacts } from '#server/features/domains/setting-queries.ts'
import { requirePublicNames } from '#server/features/domains/trial.ts'
import {
  type ZoneEntry,
  type ZoneRecord,
  zoneFile,
} from '#server/standards/dns-records/zone-file.ts'
import { settingOf } from './dns-setting.ts'

/**
 * A record that would conflict with an existing one is written as a comment: loading the file never makes a second SPF record,
 * and never moves mail.
 * @throws NOT_EXISTS, TRIAL
 */
export const domainZoneFile = async (
  app: App,
  who: Pick<Who, 'workspaceId'>,
  domainId: string,
): Promise<{ filename: string; content: string }> => {
  const { name, facts } = await settingOf(app, who, domainId)
  requirePublicNames(app)
  const rows = await readRecords(app.db, who.workspaceId, domainId)
  const zone = facts?.zone ?? name
  const { mailHost } = app.config
  const entries = rows.map((row): ZoneEntry => {
    const { comments, isActive } = remarksOn(row, { domain: name, mailHost, facts })
    return { comments, isActive, record: recordOf(row) }
  })
  const header = [
    `DNS records of ${name} for mail, written ${app.clock.now().toISOString()}.`,
    `They belong in the zone ${zone}: import the file at its DNS provider, or $INCLUDE it in the zone.`,
    'It is no whole zone: SOA, NS and everything else stay as they are.',
    'A record behind a semicolon would, or might, clash with what is there; the lines above it say what to do.',
    '',
  ]
  return { filename: `${name}.zone`, content: zoneFile(zone, header, entries) }
}

const recordOf = ({ name, ttl, type, value, priority }: RecordRow): ZoneRecord => {
  const at = { name, ttlSeconds: ttl }
  switch (type) {
    case 'MX':
      return { ...at, type, preference: priority ?? 0, host: value }
    case 'CNAME':
      return { ...at, type, host: value }
    case 'SRV': {
      const [target = '', ...numbers] = value.split(' ').toReversed()
      return { ...at, type, numbers: numbers.toReversed().map(Number), host: target }
    }
    case 'TXT':
      return { ...at, type, text: value }
  }
}

type Given = { domain: string; mailHost: string; facts: SettingFacts | null }
type Remarks = { comments: string[]; isActive: boolean }

const remarksOn = (row: RecordRow, given: Given): Remarks => {
  switch (row.purpose) {
    case 'ownership':
      return { comments: [`Proves that ${given.domain} is yours.`], isActive: true }
    case 'spf':
      return onSpf(row, given)
    case 'dkim':
      return onDkim(row, given)
    case 'dkim-ed25519':
      return { comments: ['Optional: a second DKIM key.'], isActive: true }
    case 'dmarc':
      return onDmarc(row, given)
    case 'mx':
      return onMx(given)
    default:
      return onOptional(row)
  }
}

/** Beside another record at its name it would clash. */
const onOptional = ({ purpose, state, found }: RecordRow): Remarks => ({
  comments: [
    `Optional: ${recordTitles[purpose]}.`,
    ...(state === 'verified' ? [] : found.map((text) => `  now: ${text}`)),
  ],
  isActive: state === 'verified' || found.length === 0,
})

const unseen = (what: string, present: string): Remarks => ({
  comments: [
    what,
    `DNS has not said whether there is ${present} already. If there is none, take this in:`,
  ],
  isActive: false,
})

const onSpf = ({ value }: RecordRow, { domain, facts }: Given): Remarks => {
  const what = `SPF: which servers may send for ${domain}.`
  const found = facts?.spf
  if (!found) return unseen(what, `an SPF record at ${domain}`)
  if (found.length === 0 || (found.length === 1 && found[0] === value))
    return { comments: [what], isActive: true }
  return {
    comments: [
      what,
      found.length === 1
        ? `${domain} has an SPF record, and there must be only one. Change it to the one below, which keeps whom it names:`
        : `${domain} has ${found.length} SPF records, and there must be only one. Replace them by the one below, which keeps whom they name:`,
      ...found.map((text) => `  now: ${text}`),
    ],
    isActive: false,
  }
}

const onDkim = ({ state, name, sightings }: RecordRow, { domain }: Given): Remarks => {
  const what = `DKIM: the key that checks the signatures of mail from ${domain}.`
  const servers = [...(sightings?.published ?? []), ...(sightings?.visible ?? [])]
  const isTaken = state !== 'verified' && servers.some(({ values }) => values.length > 0)
  return isTaken
    ? {
        comments: [what, `Change the TXT record at ${name} to this one:`],
        isActive: false,
      }
    : { comments: [what], isActive: true }
}

const onDmarc = ({ name }: RecordRow, { domain, facts }: Given): Remarks => {
  const what = `DMARC: what receivers shall do with mail that only pretends to be from ${domain}.`
  if (!facts?.dmarc) return unseen(what, `a policy at ${name}`)
  const { found, at } = facts.dmarc
  if (at === name)
    return { comments: [what, 'This policy is there already, and stays.'], isActive: true }
  if (at !== null)
    return {
      comments: [
        what,
        `The policy at ${at} applies already. This record is needed only for one of its own:`,
      ],
      isActive: false,
    }
  if (found.length === 0) return { comments: [what], isActive: true }
  return {
    comments: [
      what,
      `The record at ${name} is not valid. Replace it with this:`,
      ...found.map((text) => `  now: ${text}`),
    ],
    isActive: false,
  }
}

const onMx = ({ domain, mailHost, facts }: Given): Remarks => {
  const what = `MX: where mail to ${domain} is delivered. Needed only to receive mail here.`
  if (!facts?.mx) return unseen(what, `an MX record at ${domain}`)
  const mail = presentMail(facts.mx, mailHost)
  const { hosts, isOurs, hasNullMx } = mail
  if (isOurs || (hosts.length === 0 && !hasNullMx)) return { comments: [what], isActive: true }
  return {
    comments: [
      what,
      hasNullMx
        ? `${domain} says now that it takes no mail. To receive it here, replace that record by this one:`
        : `Mail goes to ${elsewhereOf(mail)} now. To receive mail here, replace the present MX records with this one:`,
      ...hosts.map(({ host, priority }) => `  now: ${priority} ${host}`),
    ],
    isActive: false,
  }
}

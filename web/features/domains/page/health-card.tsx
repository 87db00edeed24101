import { CircleCheck, Clock3, type LucideIcon, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import type { DomainOwnership } from '#contract/dns/claims.ts'
import { type DnsRecord, type Domain, sentencesOf } from '#contract/domains.ts'
import { CheckNote, CheckProgress } from '#web/dns-records/check-note.tsx'
import { purposeNames } from '#web/dns-records/record-text.ts'
import { LastAnswer, UNCHECKED, type Unchecked, uncheckedOf } from '#web/dns-records/unchecked.tsx'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatCount, formatDate, formatMoment } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { VERIFY_DNS, VERIFY_DOMAIN } from '../wizard/step-panel.tsx'
import { useVerifyDns, useVerifyOwnership } from '../wizard/use-records.ts'

const looks: Record<Health['tone'], { icon: LucideIcon; text: string; wash: string }> = {
  good: { icon: CircleCheck, text: 'text-good', wash: 'bg-good-wash' },
  warn: { icon: Clock3, text: 'text-warn', wash: 'bg-warn-wash' },
  bad: { icon: TriangleAlert, text: 'text-bad', wash: 'bg-bad-wash' },
}

export type HealthStep =
  | { kind: 'wizard'; step: number; text: string }
  | { kind: 'mailbox'; text: string }

/** The health of a domain in words: what is right, what is wrong, since when, and the one thing to do next. */
export type Health = {
  tone: 'good' | 'warn' | 'bad'
  title: string
  text: string
  /** Records that are missing or wrong, the wrong ones first. */
  faults: DnsRecord[]
  /** ISO time; null when unknown. */
  since: string | null
  /** The next step; null when there is nothing to do. */
  next: HealthStep | null
  /** What it needs could not be looked up: the rest is what the last answers said. */
  unchecked?: Unchecked
}

export type DomainState = {
  domain: Domain
  ownership: DnsRecord
  records: readonly DnsRecord[]
  /** Claims and missing proof of the domain; null when they could not be loaded. */
  ownershipStatus: Pick<DomainOwnership, 'ownClaim' | 'missing' | 'claims'> | null
}

export function healthOf(state: DomainState): Health {
  const { domain, ownership, records } = state
  const needed = records.filter(
    ({ required, purpose }) => required || (purpose === 'mx' && domain.mailboxes > 0),
  )
  const unchecked = uncheckedOf([ownership, ...needed])
  const known = knownHealth(state)
  return unchecked ? uncheckedHealth(unchecked, known) : known
}

/** What was wrong before stays as bad as it was, and its records say by themselves why nothing newer is known. */
const uncheckedHealth = (unchecked: Unchecked, known: Health): Health => ({
  tone: known.tone === 'bad' ? 'bad' : 'warn',
  title: UNCHECKED,
  text: `${unchecked.reason} We look again by ourselves; until there is an answer, mail is taken and sent as before.`,
  faults: [],
  since: unchecked.since,
  next: known.next?.kind === 'mailbox' ? null : known.next,
  unchecked,
})

/** As the last answers had it. */
function knownHealth(state: DomainState): Health {
  const { domain, ownership, records } = state
  if (!domain.isVerified) return unverifiedHealth(state)
  if (ownership.isVerified !== true) return lostProofHealth(state)
  const required = records.filter((record) => record.required)
  const faults = notRight(required)
  if (faults.length > 0) return faultyRecordsHealth(domain, required, faults)
  const missing = notRight(records)
  return missing.length > 0
    ? sendingOnlyHealth(domain, missing)
    : goodHealth(domain, [ownership, ...required])
}

const unverifiedHealth = ({ domain, ownership, ownershipStatus }: DomainState): Health => {
  const { unicodeName: name } = domain
  const isClaiming = ownershipStatus?.ownClaim != null && ownershipStatus.ownClaim.outcome === null
  const isWrong = ownership.isVerified === null
  const rest = { since: isWrong ? ownership.changedAt : null, faults: isWrong ? [ownership] : [] }
  if (isClaiming)
    return {
      ...{ tone: 'warn', title: 'Another workspace holds this domain', ...rest, faults: [] },
      text: 'You have claimed it. It does not work here until the claim is decided.',
      next: null,
    }
  return {
    ...{ tone: isWrong ? 'bad' : 'warn', ...rest },
    title: isWrong ? 'The ownership record is wrong' : 'Not verified yet',
    text: `Publish one TXT record to prove that ${name} is yours. Until then it sends and receives nothing.`,
    next: { kind: 'wizard', step: VERIFY_DOMAIN, text: 'Continue setup' },
  }
}

/** When a notice above shows the record and the consequences, the card does not repeat them. */
const lostProofHealth = ({ ownership, ownershipStatus }: DomainState): Health => {
  const hasNotice =
    ownershipStatus !== null &&
    (ownershipStatus.missing !== null || ownershipStatus.claims.length > 0)
  return {
    ...{ tone: 'bad', title: 'The ownership record is not in DNS' },
    text: `The domain was proven to be yours, and its record has to stay in DNS. Publish ${hasNotice ? 'the record above' : 'it'} again, then verify.`,
    faults: hasNotice ? [] : [ownership],
    since: ownership.changedAt,
    next: hasNotice ? null : { kind: 'wizard', step: VERIFY_DOMAIN, text: 'See the record' },
  }
}

const faultyRecordsHealth = (
  domain: Domain,
  required: readonly DnsRecord[],
  faults: DnsRecord[],
): Health => {
  const wrong = faults.filter(isWrong)
  const since = earliest(wrong.length > 0 ? wrong : faults)
  const receiving =
    domain.mailboxes > 0
      ? ' Incoming mail is still accepted.'
      : ' Mailboxes can be added after that.'
  if (wrong.length > 0)
    return {
      ...{ tone: 'bad', title: `${namesOf(wrong)} wrong in DNS`, faults, since },
      text: `Mail from ${domain.unicodeName} may be treated as junk or refused. Publish the right values, then verify.${receiving}`,
      next: { kind: 'wizard', step: VERIFY_DNS, text: 'Fix the records' },
    }
  return {
    ...{ tone: 'warn', faults, since },
    title: `${formatCount(faults.length)} of ${formatCount(required.length)} DNS records ${faults.length === 1 ? 'is' : 'are'} missing`,
    text: `The domain is yours. With these records other servers trust mail from ${domain.unicodeName}.${receiving}`,
    next: { kind: 'wizard', step: VERIFY_DNS, text: 'Publish the records' },
  }
}

/** A domain may send here and receive elsewhere, so a missing MX record is no fault while it has no mailboxes. */
const sendingOnlyHealth = (domain: Domain, faults: DnsRecord[]): Health => {
  const isUsed = domain.mailboxes > 0
  return {
    ...{ tone: isUsed ? 'warn' : 'good', faults, since: null },
    title: 'Ready to send, not to receive',
    text: isUsed
      ? `Mail from ${domain.unicodeName} is signed and trusted. Mail to its mailboxes does not arrive here: its MX record does not point here.`
      : `Mail from ${domain.unicodeName} is signed and trusted. Mail to it arrives here once its MX record points here.`,
    next: isUsed
      ? { kind: 'wizard', step: VERIFY_DNS, text: 'Publish the MX record' }
      : { kind: 'mailbox', text: 'Add mailbox' },
  }
}

const goodHealth = (domain: Domain, records: readonly DnsRecord[]): Health => ({
  ...{ tone: 'good', title: 'All records are right', faults: [] },
  text: `Mail from ${domain.unicodeName} is signed and trusted, and mail to it arrives here.`,
  since:
    records
      .flatMap(({ changedAt }) => changedAt ?? [])
      .toSorted()
      .at(-1) ?? null,
  next: domain.mailboxes === 0 ? { kind: 'mailbox', text: 'Add mailbox' } : null,
})

const isWrong = ({ isVerified }: DnsRecord): boolean => isVerified === null

const notRight = (records: readonly DnsRecord[]): DnsRecord[] => {
  const faults = records.filter(({ isVerified }) => isVerified !== true)
  return [...faults.filter(isWrong), ...faults.filter((record) => !isWrong(record))]
}

const earliest = (records: readonly DnsRecord[]): string | null =>
  records.flatMap(({ changedAt }) => changedAt ?? []).toSorted()[0] ?? null

/** Returns 'SPF is' or 'SPF and DKIM are'. */
const namesOf = (records: readonly DnsRecord[]): string => {
  const names = records.map(({ purpose }) => purposeNames[purpose])
  const last = names.at(-1) ?? ''
  return names.length === 1 ? `${last} is` : `${names.slice(0, -1).join(', ')} and ${last} are`
}

/** First on the page of a domain: its health, and what to do. */
export function HealthCard(state: DomainState) {
  const { domain, ownership, records } = state
  const health = healthOf(state)
  const { icon: Icon, text, wash } = looks[health.tone]
  const { check, isChecking } = useCheck(domain)
  const canManage = useCan('manage-domains')
  return (
    <Card className="overflow-hidden">
      <section aria-label="Health">
        <div className="grid gap-3 p-5 sm:gap-1 sm:px-6">
          <div className="flex items-center gap-3 sm:gap-4">
            <span className={cn('grid size-10 shrink-0 place-items-center rounded-xl', wash, text)}>
              <Icon className="size-5" aria-hidden />
            </span>
            <h2 className="wrap-anywhere font-semibold text-lg tracking-tight">{health.title}</h2>
          </div>
          <div className="grid gap-3 sm:pl-14">
            <p className="wrap-anywhere max-w-3xl text-pretty text-soft text-sm">{health.text}</p>
            {health.since && (
              <p className="text-soft text-xs">
                Since{' '}
                <LocalTime
                  at={health.since}
                  format={health.unchecked ? formatMoment : formatDate}
                />
                {health.unchecked && (
                  <>
                    . <LastAnswer {...health.unchecked} />
                  </>
                )}
              </p>
            )}
            {health.faults.length > 0 && <Faults records={health.faults} />}
          </div>
        </div>
        <CheckProgress isChecking={isChecking} />
        <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t bg-sunken px-5 py-3.5 sm:px-6">
          <div className="min-w-0 flex-1 basis-56 text-soft text-xs max-sm:[&>p:last-child]:min-h-8">
            <CheckNote
              records={[ownership, ...records]}
              domainName={domain.unicodeName}
              isChecking={isChecking}
              showsLaterChecks
            />
          </div>
          <div className="ml-auto flex flex-wrap gap-2 max-sm:w-full max-sm:[&>*]:flex-1">
            <Button
              variant={health.next === null && health.tone === 'bad' ? 'primary' : 'secondary'}
              disabled={!canManage}
              isPending={isChecking}
              onClick={check}
            >
              {isChecking ? 'Verifying...' : 'Verify now'}
            </Button>
            {health.next && <NextStep domain={domain} step={health.next} />}
          </div>
        </footer>
      </section>
    </Card>
  )
}

/** Before the ownership is proven, only the ownership record can be checked. */
function useCheck({ _id: id, isVerified }: Domain) {
  const dns = useVerifyDns(id)
  const ownership = useVerifyOwnership(id)
  const { mutate, isPending } = isVerified ? dns : ownership
  return { check: () => mutate({ params: { id } }), isChecking: isPending }
}

function Faults({ records }: { records: readonly DnsRecord[] }) {
  return (
    <ul aria-label="What is wrong" className="grid gap-2.5 border-line border-t pt-3">
      {sentencesOf(records).map(({ title, text }) => (
        <li key={title} className="wrap-anywhere max-w-3xl text-pretty text-sm">
          <span className="font-medium">{title}:</span> {text || 'Not in DNS yet.'}
        </li>
      ))}
    </ul>
  )
}

function NextStep({ domain, step }: { domain: Domain; step: HealthStep }) {
  return (
    <Button asChild>
      {step.kind === 'mailbox' ? (
        <Link to={paths.newMailbox({ domain: domain.name })}>{step.text}</Link>
      ) : (
        <Link to={paths.addDomain({ id: domain._id })} state={{ step: step.step }}>
          {step.text}
        </Link>
      )}
    </Button>
  )
}

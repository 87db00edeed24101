import {
  ChevronRight,
  CircleCheck,
  CreditCard,
  Globe,
  type LucideIcon,
  MailWarning,
  ReceiptText,
  ServerCrash,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Domain, listDomains } from '#contract/domains.ts'
import {
  type DomainSteps,
  type Dues,
  type FirstDays,
  getFirstSteps,
} from '#contract/first-steps.ts'
import { getInstallationFaults } from '#contract/installation.ts'
import { formatCents } from '#contract/money.ts'
import type { Stats } from '#contract/stats.ts'
import { stepsOf } from '#web/dns-records/domain-steps.ts'
import { UNCHECKED } from '#web/dns-records/unchecked.tsx'
import { useApi } from '#web/lib/api/use-api.ts'
import { useMay } from '#web/lib/api/use-can.ts'
import { formatCount, formatMoment } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { nextOf } from '#web/ui/data/step-list.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

const SHOWN_DOMAINS = 5
const HOUR_MS = 3_600_000

/** What members must do before all mail of the workspace works, with links: what is nearest to done first. */
export function Attention({ stats, className }: { stats: Stats; className?: string }) {
  const { needWork } = stats.domains
  const domains = useApi(listDomains, {}, { enabled: needWork > 0 })
  const unpaid = stats.mailboxes.inactive
  const steps = useApi(getFirstSteps, {}, { enabled: stats.domains.active > 0 })
  const unfinished = steps.data?.total ?? 0
  const isUnread = stats.domains.active > 0 && !steps.data
  const { dues = null, firstDays = null } = steps.data ?? {}
  const mayKnow = useMay('manage-company')
  const installation = useApi(getInstallationFaults, {}, { enabled: mayKnow, staleTime: HOUR_MS })
  const faults = installation.data?.faults ?? []
  const isWell = faults.length + needWork + unpaid + unfinished === 0 && dues === null && !isUnread
  return (
    <Card {...(className ? { className } : {})}>
      <CardHeader
        title="Needs attention"
        description={
          isWell
            ? 'Mail of every domain comes and goes, and people read it'
            : 'What is still to do before mail works'
        }
      />
      {isWell ? (
        <AllIsWell />
      ) : (
        <ul>
          {faults.length > 0 && <FaultsRow faults={faults} />}
          {unpaid > 0 && <UnpaidRow count={unpaid} />}
          {dues && <DuesRow dues={dues} />}
          {needWork > 0 &&
            (domains.data ? (
              <DomainRows domains={domains.data} stepped={steps.data?.items ?? []} />
            ) : domains.isError ? (
              <UnreadRow onRetry={() => void domains.refetch()} />
            ) : (
              Array.from({ length: Math.min(needWork, SHOWN_DOMAINS) }, (_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
                <ComingRow key={at} />
              ))
            ))}
          {steps.data ? (
            steps.data.items
              .slice(0, SHOWN_DOMAINS)
              .map((domain) => <UnfinishedRow key={domain._id} domain={domain} />)
          ) : steps.isError ? (
            <UnreadRow onRetry={() => void steps.refetch()} />
          ) : (
            isUnread && <ComingRow />
          )}
          {unfinished > SHOWN_DOMAINS && (
            <MoreRow path={paths.domains()}>
              {counted(unfinished - SHOWN_DOMAINS)} whose mail does not work yet
            </MoreRow>
          )}
        </ul>
      )}
      {firstDays && <FirstDaysNote limits={firstDays} />}
    </Card>
  )
}

const counted = (count: number) =>
  `${formatCount(count)} more ${count === 1 ? 'domain' : 'domains'}`

type DomainRowsProps = { domains: readonly Domain[]; stepped: readonly DomainSteps[] }

/** Domains that need work; those whose steps stand below are not said twice. The rest is one link away. */
function DomainRows({ domains, stepped }: DomainRowsProps) {
  const said = new Set(stepped.map(({ _id }) => _id))
  const toDo = domains
    .filter(({ needsWork }) => needsWork)
    .filter(({ _id, uncheckedSince }) => uncheckedSince !== null || !said.has(_id))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.verifiedRecords - a.verifiedRecords)
  const rest = toDo.length - SHOWN_DOMAINS
  return (
    <>
      {toDo.slice(0, SHOWN_DOMAINS).map((domain) => (
        <DomainRow key={domain._id} domain={domain} />
      ))}
      {rest > 0 && (
        <MoreRow path={paths.domains({ state: 'work' })}>
          {counted(rest)} {rest === 1 ? 'needs' : 'need'} work
        </MoreRow>
      )}
    </>
  )
}

const urgency = { Failed: 0, Pending: 2, Verified: 3 } as const

/** What broke comes before what is not set up yet. */
const rankOf = ({ dnsStatus, uncheckedSince }: Domain): number =>
  dnsStatus !== 'Failed' && uncheckedSince !== null ? 1 : urgency[dnsStatus]

function DomainRow({ domain }: { domain: Domain }) {
  const { isVerified, dnsStatus, verifiedRecords, requiredRecords, uncheckedSince } = domain
  // Of an active domain the page says more than the wizard, which has nothing to do there.
  const place =
    domain.status === 'active'
      ? { path: paths.domain(domain._id) }
      : { path: paths.addDomain({ id: domain._id }), ...(isVerified && { state: atDnsStep }) }
  return (
    <Row {...place} icon={Globe}>
      <span className="grid min-w-0 flex-1">
        <span dir="auto" className="wrap-anywhere text-left font-medium text-sm">
          {domain.unicodeName}
        </span>
        <span className="text-sm text-soft">
          {uncheckedSince !== null ? (
            <>
              Its name servers give no answer since{' '}
              <LocalTime at={uncheckedSince} format={formatMoment} />
            </>
          ) : !isVerified ? (
            'Ownership not verified'
          ) : dnsStatus === 'Verified' ? (
            'Its MX record does not point here as it should'
          ) : (
            `${verifiedRecords} of ${requiredRecords} DNS records verified`
          )}
        </span>
      </span>
      {dnsStatus === 'Failed' ? (
        <Status tone="bad">Failed</Status>
      ) : uncheckedSince !== null ? (
        <Status tone="warn">{UNCHECKED}</Status>
      ) : dnsStatus === 'Verified' ? (
        <Status tone="warn">MX</Status>
      ) : (
        <Status tone="warn">Pending</Status>
      )}
    </Row>
  )
}

/** An active domain: the first thing that its mail lacks. */
function UnfinishedRow({ domain }: { domain: DomainSteps }) {
  const next = nextOf(stepsOf(domain))
  return (
    <Row path={paths.domain(domain._id)} icon={MailWarning}>
      <span className="grid min-w-0 flex-1">
        <span dir="auto" className="wrap-anywhere text-left font-medium text-sm">
          {domain.unicodeName}
        </span>
        <span className="wrap-anywhere text-pretty text-sm text-soft">
          {domain.isMailOurs
            ? `${next?.title}: ${next?.description}`
            : domain.mailTo === null
              ? 'No server receives its mail.'
              : `New mail goes to ${domain.mailTo}.`}
        </span>
      </span>
    </Row>
  )
}

function UnpaidRow({ count }: { count: number }) {
  const isOne = count === 1
  return (
    <Row path={paths.mailboxes()} icon={CreditCard}>
      <span className="grid min-w-0 flex-1">
        <span className="truncate font-medium text-sm">
          {formatCount(count)} {isOne ? 'mailbox is' : 'mailboxes are'} not paid for
        </span>
        <span className="truncate text-sm text-soft">
          {isOne ? 'It receives' : 'They receive'} mail once {isOne ? 'it is' : 'they are'}
        </span>
      </span>
    </Row>
  )
}

/** Nothing that an Admin can mend, so it leads nowhere. */
function FaultsRow({ faults }: { faults: readonly string[] }) {
  return (
    <li className="flex items-start gap-3 border-line border-t px-5 py-3">
      <ServerCrash className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span className="font-medium text-sm">
          This installation cannot send or receive as it should: tell its operator
        </span>
        {faults.map((fault) => (
          <span key={fault} className="wrap-anywhere text-pretty text-sm text-soft">
            {fault}
          </span>
        ))}
      </span>
    </li>
  )
}

function DuesRow({ dues: { count, amountCents, currency } }: { dues: Dues }) {
  return (
    <Row path={paths.profile({ tab: 'billing' })} icon={ReceiptText}>
      <span className="grid min-w-0 flex-1">
        <span className="truncate font-medium text-sm">
          {count === 1 ? 'An invoice is' : `${formatCount(count)} invoices are`} not paid
        </span>
        <span className="truncate text-sm text-soft">{formatCents(amountCents, currency)} due</span>
      </span>
    </Row>
  )
}

/** The limits of a new workspace, before a refusal tells them. */
function FirstDaysNote({ limits }: { limits: FirstDays }) {
  return (
    <p className="border-line border-t px-5 py-3.5 text-pretty text-soft text-sm">
      In its first days each mailbox may write to {peopleIn(limits)} in 24 hours. This doubles each
      day; the full limits apply from <LocalTime at={limits.until} format={formatMoment} />.
    </p>
  )
}

const peopleIn = ({ recipients, newRecipients }: FirstDays): string => {
  if (recipients === null) return `${formatCount(newRecipients ?? 0)} new people`
  const people = `${formatCount(recipients)} people outside this workspace`
  return newRecipients === null ? people : `${people}, ${formatCount(newRecipients)} of them new,`
}

function MoreRow({ path, children }: { path: string; children: ReactNode }) {
  return (
    <Row path={path}>
      <span className="flex-1 font-medium text-accent-ink text-sm">{children}</span>
    </Row>
  )
}

/** History state with the step of the wizard to open. */
type RowState = { step: number }
const atDnsStep: RowState = { step: 2 }

type RowProps = { path: string; state?: RowState; icon?: LucideIcon; children: ReactNode }

function Row({ path, state, icon: Icon, children }: RowProps) {
  return (
    <li className="border-line border-t">
      <Link
        to={path}
        state={state}
        className="flex items-center gap-3 px-5 py-3 transition-colors -outline-offset-2 hover:bg-sunken"
      >
        {Icon && <Icon className="size-4 shrink-0 text-soft" aria-hidden />}
        {children}
        <ChevronRight className="size-4 shrink-0 text-soft" aria-hidden />
      </Link>
    </li>
  )
}

/** As high as a row, so that nothing moves when the domains have loaded. */
function ComingRow() {
  return (
    <li aria-hidden className="grid gap-1.5 border-line border-t px-5 py-3.5">
      <Skeleton className="h-4 w-44" />
      <Skeleton className="h-4 w-56" />
    </li>
  )
}

function UnreadRow({ onRetry }: { onRetry: () => void }) {
  return (
    <li
      role="alert"
      className="flex items-center justify-between gap-3 border-line border-t px-5 py-3 text-soft text-sm"
    >
      The domains could not be loaded.
      <Button variant="secondary" size="small" onClick={onRetry}>
        Try again
      </Button>
    </li>
  )
}

function AllIsWell() {
  return (
    <div className="grid place-items-center gap-3 border-line border-t px-5 py-12 text-center text-sm text-soft">
      <span className="grid size-12 place-items-center rounded-2xl bg-good-wash text-good">
        <CircleCheck className="size-5" aria-hidden />
      </span>
      All is well: there is nothing to do.
    </div>
  )
}

import { Building2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { listDeleted } from '#contract/deletions.ts'
import { listDomains } from '#contract/domains.ts'
import { type DomainSteps, getFirstSteps, mailWorks, markWorksSeen } from '#contract/first-steps.ts'
import { getInstallation } from '#contract/installation.ts'
import { getMailPerDay, getStats, type Stats } from '#contract/stats.ts'
import { DeletedList, deletedQuery } from '#web/deletions/deleted-list.tsx'
import { NO_WORKSPACE } from '#web/deletions/workspace-end.tsx'
import { stepsOf } from '#web/dns-records/domain-steps.ts'
import { MailWorks } from '#web/dns-records/mail-works.tsx'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useCan, useIsRoleKnown, useMay, useWorkspaces } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { useHistoryState } from '#web/lib/history-state.ts'
import { PRODUCT_NAME, usePageTitle } from '#web/lib/page-title.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { type Step, StepList } from '#web/ui/data/step-list.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Attention } from './attention.tsx'
import { MailPerDayCard } from './mail-per-day.tsx'
import { StatCards } from './stat-cards.tsx'

export function HomePage() {
  usePageTitle('Dashboard')
  const stats = useApi(getStats, {})
  const workspaces = useWorkspaces()
  return (
    <>
      <PageHeading title="Dashboard" subtitle="Your domains, mailboxes and mail at a glance" />
      {workspaces.data?.length === 0 ? (
        <Card>
          <EmptyState icon={Building2} {...NO_WORKSPACE} />
        </Card>
      ) : stats.isError && !stats.data ? (
        <Card>
          <ErrorState
            title="The figures could not be loaded"
            description={stats.error.message}
            onRetry={() => void stats.refetch()}
          />
        </Card>
      ) : (
        <>
          <StatCards stats={stats.data} />
          {stats.data && <BelowCards stats={stats.data} />}
        </>
      )}
      <WelcomeDialog />
    </>
  )
}

export const loadHome: LoadPage = ({ ask }) => {
  const attention = async () => {
    const domains = (await ask(getStats, {}))?.domains
    await Promise.all([
      domains?.needWork && ask(listDomains, {}),
      domains?.active && ask(getFirstSteps, {}),
    ])
  }
  return Promise.all([attention(), ask(getMailPerDay, {}), ask(listDeleted, deletedQuery())])
}

/** Shown once, after the first verified e-mail: the navigation to this page sets the flag. */
export function WelcomeDialog() {
  const state = useHistoryState()
  const navigate = useNavigate()
  const isAsked =
    (state as { showWelcomeModal?: unknown } | null | undefined)?.showWelcomeModal === true
  const [isOpen, setIsOpen] = useState(isAsked)
  useEffect(() => {
    if (!isAsked) return
    setIsOpen(true)
    // The history entry keeps the flag: without this, reload and back would show the dialog again.
    void navigate('.', { replace: true, state: null })
  }, [isAsked, navigate])
  const canManage = useCan('manage-domains')
  const close = () => setIsOpen(false)
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      title={`Welcome to ${PRODUCT_NAME}`}
      description={
        canManage
          ? 'Add a domain, publish its records, and create mailboxes for your people. The dashboard shows the next step.'
          : 'The mailboxes that an Admin gives you are under View Mail.'
      }
      footer={<Button onClick={close}>Lets go</Button>}
    />
  )
}

/** The first steps of a new workspace; then what needs attention, beside the latest activity. */
function BelowCards({ stats }: { stats: Stats }) {
  const canManage = useMay('manage-domains')
  const isRoleKnown = useIsRoleKnown()
  const steps = useApi(getFirstSteps, {}, { enabled: canManage && stats.domains.active > 0 })
  // Waits for both, because cards that appear later would push the others aside.
  if (!isRoleKnown || steps.isLoading) return null
  return (
    <>
      {canManage && steps.data?.working.map((domain) => <Works key={domain._id} domain={domain} />)}
      {canManage && <FirstSteps stats={stats} />}
      {(stats.domains.total > 0 || !canManage) && (
        <div className={cn('grid items-start gap-4', canManage && 'xl:grid-cols-[3fr_2fr]')}>
          {canManage && <Attention stats={stats} />}
          <MailPerDayCard />
        </div>
      )}
      <DeletedList />
    </>
  )
}

function Works({ domain }: { domain: DomainSteps }) {
  const seen = useCall(markWorksSeen, { onError: (error) => toastError(error.message) })
  return (
    <MailWorks
      domain={domain}
      isPending={seen.isPending}
      onSeen={(id) => seen.mutate({ params: { id } })}
    />
  )
}

const stepsFor = ({ domains, mailboxes }: Stats, isTrial: boolean): readonly Step[] => [
  {
    title: 'Add a domain',
    description: 'Any domain or subdomain that you own.',
    path: domains.total > 0 ? paths.domains() : paths.addDomain(),
    isDone: domains.total > 0,
  },
  {
    title: 'Publish its DNS records',
    description: isTrial
      ? 'Not in this trial: other mail servers cannot reach it, so it shows no records.'
      : 'We show what to publish where, and check it for you.',
    path: paths.domains(),
    isDone: domains.active > 0,
  },
  {
    title: 'Create mailboxes',
    description: 'One by one, or many at once.',
    path: paths.mailboxes(),
    isDone: mailboxes.total > 0,
  },
  {
    title: 'Read and write mail',
    description: 'Activate a mailbox, and open it here.',
    path: mailboxes.active > 0 ? paths.viewMail() : paths.mailboxes(),
    isDone: mailboxes.active > 0,
  },
]

/** The steps from an empty workspace to its first mailbox; then those of the domain that is nearest to working mail. */
function FirstSteps({ stats }: { stats: Stats }) {
  const installation = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  const steps = stepsFor(stats, installation.data?.hidesRecords === true)
  const hasMailbox = steps.every(({ isDone }) => isDone)
  const { data } = useApi(getFirstSteps, {}, { enabled: stats.domains.active > 0 })
  const [domain] = data?.items.filter(({ mailboxes }) => mailboxes > 0) ?? []
  if (hasMailbox && domain)
    return (
      <StepList
        title={
          mailWorks(domain)
            ? `What is left to do for ${domain.unicodeName}`
            : `Until mail of ${domain.unicodeName} works`
        }
        description={
          data && data.total > 1
            ? `The nearest to done of ${formatCount(data.total)} domains whose mail does not work yet`
            : 'From top to bottom; the marked step is the next'
        }
        steps={stepsOf(domain)}
      />
    )
  return <StepList title="First steps" description="From a domain to working mail" steps={steps} />
}

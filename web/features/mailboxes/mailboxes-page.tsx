/** The mailboxes of the workspace. `/dashboard/new-mail-box` is the same page with the create dialog open. */
import { Globe, Inbox, MailPlus, Plus, Sparkles } from 'lucide-react'
import { Suspense } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { getInstallation } from '#contract/installation.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { getStats } from '#contract/stats.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan, useMay } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { formatCount } from '#web/lib/format.ts'
import { useKeptState } from '#web/lib/kept-values.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { StatisticCard } from '#web/ui/data/stat-card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { MailboxTable } from './mailbox-table.tsx'

// The forms and what they need come when somebody opens one: the list shows without them.
const MailboxDialog = lazyPart(async () => (await import('./mailbox-dialog.tsx')).MailboxDialog)

const GenerateDialog = lazyPart(async () => (await import('./generate-dialog.tsx')).GenerateDialog)

type Open = 'create' | 'generate' | Mailbox | null

export function MailboxesPage() {
  usePageTitle('Mailboxes')
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const isAsked = pathname === paths.newMailbox()
  const [open, setOpen] = useKeptState<Open>('mailboxes', null)
  const installation = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  const canManage = useCan('manage-mailboxes')
  const mayCreate = useMay('manage-mailboxes')
  const hasBilling = installation.data !== undefined && installation.data.billing !== 'off'
  const close = () => {
    setOpen(null)
    if (isAsked) void navigate(paths.mailboxes(), { replace: true })
  }
  const shown = open ?? (isAsked && mayCreate ? 'create' : null)
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Mailboxes"
        subtitle={
          isAsked && !canManage
            ? 'Only Admins and Editors add mailboxes. Ask one of them for yours.'
            : 'The addresses of your domains and the people behind them'
        }
        actions={
          canManage && (
            <>
              <Button variant="secondary" onClick={() => setOpen('generate')}>
                <Sparkles aria-hidden />
                Auto generate
              </Button>
              <Button onClick={() => setOpen('create')}>
                <Plus aria-hidden />
                Create mailboxes
              </Button>
            </>
          )
        }
      />
      <MailboxCards />
      <MailboxTable hasBilling={hasBilling} onCreate={() => setOpen('create')} onEdit={setOpen} />
      <Suspense>
        {shown === 'create' && (
          <MailboxDialog
            domain={query.get('domain') ?? undefined}
            hasBilling={hasBilling}
            onClose={close}
          />
        )}
        {shown !== null && typeof shown === 'object' && (
          <MailboxDialog mailbox={shown} hasBilling={hasBilling} onClose={close} />
        )}
        {shown === 'generate' && <GenerateDialog hasBilling={hasBilling} onClose={close} />}
      </Suspense>
    </div>
  )
}

/** Slots are free places: the limit of a domain times the active domains, less their mailboxes. */
export function MailboxCards() {
  const { data, isError } = useApi(getStats, {})
  const shown = (count: number | undefined) =>
    count === undefined ? (isError ? '–' : undefined) : formatCount(count)
  return (
    // In a narrow place titles take two lines: all of them, so that the figures stand level.
    <div className="@container">
      <div className="grid grid-cols-3 gap-2 sm:gap-4 @max-2xl:[&_h2]:min-h-10 max-sm:[&_svg]:hidden">
        <StatisticCard
          className="max-sm:p-3"
          title="Active Domains"
          count={shown(data?.mailboxes.activeDomains)}
          icon={Globe}
        >
          {/* On the page of the domains it is another figure: there it counts those without mailboxes too. */}
          <p className="text-soft">with mailboxes</p>
        </StatisticCard>
        <StatisticCard
          className="max-sm:p-3"
          title="Mail slots"
          count={shown(data?.mailboxes.slots)}
          icon={MailPlus}
        />
        <StatisticCard
          className="max-sm:p-3"
          title="Active Mailboxes"
          count={shown(data?.mailboxes.active)}
          icon={Inbox}
        />
      </div>
    </div>
  )
}

/** The mailboxes of the workspace. `/dashboard/new-mail-box` is the same page with the create dialog open. */
import { FileUp, Globe, Inbox, MailPlus, Plus, Sparkles } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { listDeleted } from '#contract/deletions.ts'
import { listDomains } from '#contract/domains.ts'
import { getInstallation } from '#contract/installation.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { listSavedViews } from '#contract/saved-views.ts'
import { getStats } from '#contract/stats.ts'
import { DeletedList, deletedQuery } from '#web/deletions/deleted-list.tsx'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan, useMay } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { useKeptState } from '#web/lib/kept-values.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { StatisticCards } from '#web/ui/data/stat-card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { MailboxTable } from './mailbox-table.tsx'

// Forms are loaded when they open: the list shows without them.
const MailboxDialog = lazyPart(async () => (await import('./mailbox-dialog.tsx')).MailboxDialog)

const GenerateDialog = lazyPart(async () => (await import('./generate-dialog.tsx')).GenerateDialog)

const ImportDialog = lazyPart(async () => (await import('./import/import-dialog.tsx')).ImportDialog)

type Open = 'create' | 'generate' | 'import' | Mailbox | null

export function MailboxesPage() {
  usePageTitle('Mailboxes')
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const isAsked = pathname === paths.newMailbox()
  const [open, setOpen] = useKeptState<Open>('mailboxes', null)
  const [made, setMade] = useState<ReadonlySet<string>>(new Set())
  const installation = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  const canManage = useCan('manage-mailboxes')
  const mayCreate = useMay('manage-mailboxes')
  const hasBilling = installation.data !== undefined && installation.data.billing !== 'off'
  const close = () => {
    setOpen(null)
    if (isAsked) void navigate(paths.mailboxes(), { replace: true })
  }
  const asked = query.get('from') === 'list' ? 'import' : 'create'
  const shown = open ?? (isAsked && mayCreate ? asked : null)
  const domain = query.get('domain') ?? undefined
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
              <Button variant="secondary" onClick={() => setOpen('import')}>
                <FileUp aria-hidden />
                Import
              </Button>
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
      <MailboxTable
        {...{ hasBilling, made }}
        onCreate={() => setOpen('create')}
        onImport={() => setOpen('import')}
        onEdit={setOpen}
      />
      <DeletedList kind="mailbox" />
      <Suspense>
        {shown === 'create' && (
          <MailboxDialog
            domain={domain}
            hasBilling={hasBilling}
            onFromList={() => setOpen('import')}
            onClose={close}
          />
        )}
        {shown !== null && typeof shown === 'object' && (
          <MailboxDialog mailbox={shown} hasBilling={hasBilling} onClose={close} />
        )}
        {shown === 'import' && <ImportDialog {...{ domain, hasBilling }} onClose={close} />}
        {shown === 'generate' && (
          <GenerateDialog
            hasBilling={hasBilling}
            onFromList={() => setOpen('import')}
            onMade={(mailboxes) => setMade(new Set(mailboxes.map(({ _id }) => _id)))}
            onClose={close}
          />
        )}
      </Suspense>
    </div>
  )
}

/** The list itself loads page by page, when it is shown. */
export const loadMailboxes: LoadPage = ({ ask }) =>
  Promise.all([
    ask(getInstallation, {}),
    ask(getStats, {}),
    ask(listDomains, {}),
    ask(listDeleted, deletedQuery('mailbox')),
    ask(listSavedViews, {}),
  ])

/** Slots: the mailbox limit per domain times the active domains, minus their mailboxes. */
function MailboxCards() {
  const { data, isError } = useApi(getStats, {})
  const counts = data?.mailboxes
  return (
    <StatisticCards
      isFailed={isError}
      figures={[
        {
          ...{ title: 'Active Domains', icon: Globe, count: counts?.activeDomains },
          // On the page of the domains this number counts domains without mailboxes too.
          note: 'with mailboxes',
        },
        {
          ...{ title: 'Mail slots', icon: MailPlus, count: counts?.slots },
          note: 'mailboxes that can be added',
        },
        { title: 'Active Mailboxes', icon: Inbox, count: counts?.active },
      ]}
    />
  )
}

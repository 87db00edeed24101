/** The settings of one mailbox: its names, vacation reply, addresses, mail and sending. */
import { Inbox } from 'lucide-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { listDomains } from '#contract/domains.ts'
import { listAliases } from '#contract/mail/aliases.ts'
import { listAppPasswords } from '#contract/mail/app-passwords.ts'
import { getMailboxSettings, getStorage } from '#contract/mail/mailbox-settings.ts'
import { listPictureSenders } from '#contract/mail/pictures.ts'
import { getSending } from '#contract/mail/sending.ts'
import { listImports } from '#contract/mail/transfer.ts'
import { getVacation } from '#contract/mail/vacation.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { listFolders } from '#contract/messages.ts'
import { MailboxSwitch } from '#web/features/mailbox-access/mailbox-switch.tsx'
import { ReadersSection } from '#web/features/mailbox-access/readers.tsx'
import {
  all,
  askMailboxes,
  readable,
  useAllMailboxes,
  useLastMailbox,
  useReadableMailboxes,
} from '#web/features/mailbox-access/use-mailboxes.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useCan, useHolder } from '#web/lib/api/use-can.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { AliasesCard } from './aliases-card.tsx'
import { ApiKeysCard } from './api-keys-card.tsx'
import { AppPasswordsCard } from './app-passwords/app-passwords-card.tsx'
import { IdentityForm, LoadingIdentity, ReadOnlyIdentity } from './identity-form.tsx'
import { PictureSendersCard } from './picture-senders-card.tsx'
import { SectionNav, Sections, type SettingsSection } from './sections.tsx'
import { SendingCard } from './sending-card.tsx'
import { SENDING_SECTION } from './sending-place.ts'
import { StorageCard } from './storage-card.tsx'
import { TransferCard } from './transfer-card.tsx'
import { VacationCard } from './vacation-card.tsx'
import { VACATION_SECTION } from './vacation-note.tsx'
import { WritingCard } from './writing-card.tsx'

export function MailboxSettingsPage() {
  const isHolder = useHolder() !== null
  const title = isHolder ? 'Settings' : 'Mailbox settings'
  usePageTitle(title)
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const canManage = useCan('manage-mailboxes')
  const last = useLastMailbox()
  const wanted = query.get('mailbox') ?? last
  const { mailboxes, isWhole, error, refetch } = useAllMailboxes(wanted)
  const isKnown = isWhole && wanted !== undefined
  const mailbox =
    mailboxes?.find(({ _id }) => _id === wanted) ?? (isKnown ? mailboxes?.[0] : undefined)
  const may = useMay(mailbox, canManage)
  const sections = mailbox ? sectionsOf(mailbox, may, isHolder) : []
  return (
    <div className="grid gap-6">
      <PageHeading
        title={title}
        subtitle="The name that others see, and all else about one mailbox"
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,48rem)_11rem] xl:gap-10">
        <div className="grid max-w-3xl gap-6">
          <Card id="identity" className="scroll-mt-20">
            {error && !mailbox ? (
              <ErrorState
                title="The mailboxes could not be loaded"
                description={error.message}
                onRetry={refetch}
              />
            ) : mailbox && mailboxes ? (
              <>
                <div className="border-line border-b p-2 sm:px-4">
                  <MailboxSwitch
                    mailboxes={mailboxes}
                    current={mailbox}
                    onChoose={(id) => void navigate(paths.mailboxSettings({ mailbox: id }))}
                  />
                </div>
                <Identity mailbox={mailbox} may={may} />
              </>
            ) : mailboxes?.length === 0 ? (
              <NoMailbox canManage={canManage} />
            ) : (
              <LoadingSettings />
            )}
          </Card>
          {mailbox && <Sections key={mailbox._id} sections={sections} />}
        </div>
        {(mailbox || !(error || mailboxes?.length === 0)) && (
          <SectionNav sections={[identity, ...sections]} />
        )}
      </div>
    </div>
  )
}

const identity = { id: 'identity', title: 'Name and signature' }

function Identity({ mailbox, may }: { mailbox: Mailbox; may: May }) {
  if (may.open === undefined) return <LoadingIdentity />
  if (!may.open) return <ReadOnlyIdentity mailbox={mailbox} />
  return <IdentityForm key={mailbox._id} mailbox={mailbox} canManage={may.manage} />
}

function NoMailbox({ canManage }: { canManage: boolean }) {
  return (
    <EmptyState
      icon={Inbox}
      title="No mailbox yet"
      description="Settings appear here as soon as there is a mailbox."
      action={
        canManage && (
          <Button asChild>
            <Link to={paths.newMailbox()}>Create a mailbox</Link>
          </Button>
        )
      }
    />
  )
}

/** undefined: still loading. */
type May = { manage: boolean; read: boolean | undefined; open: boolean | undefined }

function useMay(mailbox: Mailbox | undefined, canManage: boolean): May {
  const { mailboxes, isWhole, error } = useReadableMailboxes(mailbox?._id)
  const isAmong = mailboxes?.some(({ _id }) => _id === mailbox?._id)
  const read = isAmong || (isWhole || error ? false : undefined)
  return { manage: canManage, read, open: canManage || read }
}

/** The sections in order, below the first card. */
const sectionsOf = (mailbox: Mailbox, may: May, isHolder: boolean): SettingsSection[] => [
  ...(may.open
    ? [{ id: VACATION_SECTION, title: 'Vacation reply', card: <VacationCard mailbox={mailbox} /> }]
    : []),
  ...(may.read ? [{ id: 'writing', title: 'Writing', card: <WritingCard /> }] : []),
  {
    ...{ id: 'app-passwords', title: 'Mail programs' },
    card: <AppPasswordsCard mailbox={mailbox} mayRead={may.read} />,
  },
  ...(isHolder ? [{ id: 'api-keys', title: 'API keys', card: <ApiKeysCard /> }] : []),
  ...(may.manage
    ? [{ id: 'aliases', title: 'Aliases', card: <AliasesCard mailbox={mailbox} /> }]
    : []),
  {
    ...{ id: 'pictures', title: 'Pictures' },
    card: <PictureSendersCard mailbox={mailbox} mayRead={may.read} />,
  },
  ...(may.open
    ? [{ id: 'storage', title: 'Storage', card: <StorageCard mailbox={mailbox} /> }]
    : []),
  ...(may.read
    ? [{ id: 'transfer', title: 'Export and import', card: <TransferCard mailbox={mailbox} /> }]
    : []),
  { id: SENDING_SECTION, title: 'Sending', card: <SendingCard mailbox={mailbox} /> },
  { id: 'access', title: 'Access', card: <ReadersSection mailbox={mailbox} /> },
]

/** Placeholders of the parts. */
function LoadingSettings() {
  return (
    <div role="status">
      <span className="sr-only">Loading the mailbox</span>
      <div className="border-line border-b p-2 sm:px-4">
        <Skeleton className="h-11 w-64 max-w-full" />
      </div>
      <LoadingIdentity />
    </div>
  )
}

/** The queries that the page shows first; those for certain roles too, refused to others. */
export const loadMailboxSettings: LoadPage = ({ ask, query }) => {
  const id = query.get('mailbox')
  const lists = [all, readable].map((which) => askMailboxes(ask, which, id))
  if (!id) return Promise.all(lists)
  const own = { params: { id } }
  return Promise.all([
    ...lists,
    ask(getMailboxSettings, own),
    ask(listFolders, own),
    ask(listAliases, own),
    ask(listAppPasswords, own),
    ask(listDomains, {}),
    ask(getVacation, own),
    ask(getStorage, own),
    ask(listPictureSenders, own),
    ask(listImports, own),
    ask(getSending, own),
  ])
}

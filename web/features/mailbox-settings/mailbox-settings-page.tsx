/** The settings of one mailbox, part by part: who it is, what it answers, its addresses, its mail. */
import { Inbox } from 'lucide-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { getMailboxSettings, getStorage } from '#contract/mail/mailbox-settings.ts'
import { listPictureSenders } from '#contract/mail/pictures.ts'
import { getSending } from '#contract/mail/sending.ts'
import { listImports } from '#contract/mail/transfer.ts'
import { getVacation } from '#contract/mail/vacation.ts'
import { listMailboxes, type Mailbox } from '#contract/mailboxes.ts'
import { MailboxSwitch } from '#web/features/mailbox-access/mailbox-switch.tsx'
import { ReadersSection } from '#web/features/mailbox-access/readers.tsx'
import {
  all,
  readable,
  useAllMailboxes,
  useLastMailbox,
  useReadableMailboxes,
} from '#web/features/mailbox-access/use-mailboxes.ts'
import type { Asks } from '#web/lib/api/asks.ts'
import { keyOf } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { AliasesCard } from './aliases-card.tsx'
import { IdentityForm, LoadingIdentity, ReadOnlyIdentity } from './identity-form.tsx'
import { PictureSendersCard } from './picture-senders-card.tsx'
import { SectionNav, Sections, type SettingsSection } from './sections.tsx'
import { SendingCard } from './sending-card.tsx'
import { SENDING_SECTION } from './sending-place.ts'
import { StorageCard } from './storage-card.tsx'
import { TransferCard } from './transfer-card.tsx'
import { VacationCard } from './vacation-card.tsx'
import { VACATION_SECTION } from './vacation-note.tsx'

export function MailboxSettingsPage() {
  usePageTitle('Mailbox settings')
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const canManage = useCan('manage-mailboxes')
  const { mailboxes, isWhole, error, refetch } = useAllMailboxes()
  const last = useLastMailbox()
  const wanted = query.get('mailbox') ?? last
  const isKnown = isWhole && wanted !== undefined
  const mailbox =
    mailboxes?.find(({ _id }) => _id === wanted) ?? (isKnown ? mailboxes?.[0] : undefined)
  const may = useMay(mailbox, canManage)
  const sections = mailbox ? sectionsOf(mailbox, may) : []
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Mailbox settings"
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
                {may.open ? (
                  <IdentityForm key={mailbox._id} mailbox={mailbox} canManage={canManage} />
                ) : may.open === undefined ? (
                  <LoadingIdentity />
                ) : (
                  <ReadOnlyIdentity mailbox={mailbox} />
                )}
              </>
            ) : mailboxes?.length === 0 ? (
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

/** undefined: not known yet. */
type May = { manage: boolean; read: boolean | undefined; open: boolean | undefined }

function useMay(mailbox: Mailbox | undefined, canManage: boolean): May {
  const { mailboxes, isWhole, error } = useReadableMailboxes()
  const isAmong = mailboxes?.some(({ _id }) => _id === mailbox?._id)
  const read = isAmong || (isWhole || error ? false : undefined)
  return { manage: canManage, read, open: canManage || read }
}

/** In this order, below the first card. */
const sectionsOf = (mailbox: Mailbox, may: May): SettingsSection[] => [
  ...(may.open
    ? [{ id: VACATION_SECTION, title: 'Vacation reply', card: <VacationCard mailbox={mailbox} /> }]
    : []),
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

/** Each part where it will be. */
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

/** What the settings of a mailbox show at first; what only some may see is asked when it is drawn. */
export const settingsAsks: Asks = (query) => {
  const id = query.get('mailbox')
  const lists = [keyOf(listMailboxes, all), keyOf(listMailboxes, readable)]
  return id ? [...lists, ...ofMailbox({ params: { id } })] : lists
}

const ofMailbox = (own: { params: { id: string } }): ReturnType<Asks> => [
  ...[keyOf(getMailboxSettings, own), keyOf(getVacation, own), keyOf(getStorage, own)],
  ...[keyOf(listPictureSenders, own), keyOf(listImports, own), keyOf(getSending, own)],
]

import { getMailboxSettings } from '#contract/mail/mailbox-settings.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { Facts, FixedNames } from './fixed-names.tsx'
import { Address, SettingsForm } from './settings-form.tsx'

type IdentityFormProps = { mailbox: Mailbox; canManage: boolean }

/** Loads the saved settings before it renders the form. */
export function IdentityForm({ mailbox, canManage }: IdentityFormProps) {
  const settings = useApi(getMailboxSettings, { params: { id: mailbox._id } })
  if (settings.data?.canChange === false)
    return (
      <ReadOnlyIdentity
        mailbox={mailbox}
        displayName={settings.data.displayName}
        why={NO_SPEAKING}
      />
    )
  if (settings.data)
    return <SettingsForm mailbox={mailbox} settings={settings.data} canManage={canManage} />
  if (settings.isError)
    return (
      <ErrorState
        title="The name and the signature could not be loaded"
        description={settings.error.message}
        onRetry={() => void settings.refetch()}
      />
    )
  return (
    <div role="status">
      <span className="sr-only">Loading the name and the signature</span>
      <LoadingIdentity />
    </div>
  )
}

const NO_SPEAKING =
  'You may read this mailbox, but not send from it. So its name and its signature are not yours to change.'
const NO_READING = 'Only readers of this mailbox, Admins and Editors may change these settings.'

type ReadOnlyIdentityProps = { mailbox: Mailbox; displayName?: string; why?: string }

/** For a user who may not change them. */
export function ReadOnlyIdentity(props: ReadOnlyIdentityProps) {
  const { mailbox, displayName = '', why = NO_READING } = props
  return (
    <div className="grid gap-5 p-5">
      <Address mailbox={mailbox} />
      <p className="rounded-xl bg-hover px-3.5 py-3 text-soft text-sm">{why}</p>
      {displayName !== '' && <Facts facts={[['Display name', displayName]]} />}
      <FixedNames mailbox={mailbox} />
    </div>
  )
}

export function LoadingIdentity() {
  return (
    <div className="grid gap-5 p-5">
      <Skeleton className="h-6 w-72 max-w-full" />
      <LoadingField className="h-10" />
      <div className="grid gap-4 sm:grid-cols-2">
        <LoadingField className="h-10" />
        <LoadingField className="h-10" />
      </div>
      <LoadingField className="h-76" />
    </div>
  )
}

function LoadingField({ className }: { className: string }) {
  return (
    <div className="grid gap-1.5">
      <Skeleton className="h-5 w-20" />
      <Skeleton className={className} />
    </div>
  )
}

import { getMailboxSettings } from '#contract/mail/mailbox-settings.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/skeleton.tsx'
import { SettingsForm } from './settings-form.tsx'

type IdentityFormProps = { mailbox: Mailbox; canManage: boolean }

/** The form begins with what is saved, and so waits for it. */
export function IdentityForm({ mailbox, canManage }: IdentityFormProps) {
  const settings = useApi(getMailboxSettings, { params: { id: mailbox._id } })
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

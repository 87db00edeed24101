import { getMailboxSettings } from '#contract/mail/mailbox-settings.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { Field, Input } from '#web/ui/form/field.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { Address, SettingsForm } from './settings-form.tsx'

type IdentityFormProps = { mailbox: Mailbox; canManage: boolean }

/** Loads the saved settings before it renders the form. */
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

/** For a user who may neither read nor manage the mailbox. */
export function ReadOnlyIdentity({ mailbox }: { mailbox: Mailbox }) {
  return (
    <div className="grid gap-5 p-5">
      <Address mailbox={mailbox} />
      <p className="rounded-xl bg-hover px-3.5 py-3 text-soft text-sm">
        Only readers of this mailbox, Admins and Editors may change these settings.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        {(['firstName', 'lastName'] as const).map((name) => (
          <Field key={name} label={name === 'firstName' ? 'First name' : 'Last name'}>
            {(control) => (
              <Input {...control} value={mailbox[name]} readOnly className="bg-sunken text-soft" />
            )}
          </Field>
        ))}
      </div>
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

import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, MailQuestion } from 'lucide-react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { editProfile, getProfile, type Profile, profileForm } from '#contract/profile.ts'
import { type ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { userChanged } from '#web/lib/api/session.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { useKeptState, useKeptValues } from '#web/lib/kept-values.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { DetailsFields, type DetailsValues } from './details-fields.tsx'
import { PasswordDialog } from './password-dialog.tsx'

/** The saved values are the new defaults, so no field is dirty. */
const SAVED = { keepDirtyValues: false, keepErrors: false }

export function DetailsCard() {
  const profile = useApi(getProfile, {})
  const [isChanging, setIsChanging] = useKeptState('changing password', false)
  return (
    <Card>
      <CardHeader
        title="Details"
        description="Your name as others see it, and the address that you log in with."
        aside={
          <Button variant="secondary" onClick={() => setIsChanging(true)}>
            <KeyRound aria-hidden />
            Update password
          </Button>
        }
      />
      {profile.data ? (
        <DetailsForm profile={profile.data} />
      ) : profile.isError ? (
        <ErrorState
          title="Error loading your profile"
          description={profile.error.message}
          onRetry={() => profile.refetch()}
        />
      ) : (
        <LoadingForm />
      )}
      {isChanging && (
        <PasswordDialog
          email={profile.data?.email ?? ''}
          hasPassword={profile.data?.hasPassword ?? true}
          onClose={() => setIsChanging(false)}
        />
      )}
    </Card>
  )
}

const valuesOf = ({ firstName, lastName, email }: Profile): DetailsValues => ({
  firstName,
  lastName,
  email,
  password: '',
})

function DetailsForm({ profile }: { profile: Profile }) {
  const form = useForm<DetailsValues>({
    resolver: zodResolver(profileForm),
    mode: 'onTouched',
    values: valuesOf(profile),
    resetOptions: { keepDirtyValues: true, keepErrors: true },
  })
  useKeptValues('profile', form, ['password'])
  const { firstName, lastName, email } = form.formState.dirtyFields
  // A password that the browser filled in is no unsaved change.
  const isDirty = Boolean(firstName || lastName || email)
  const unsaved = useUnsavedChanges(isDirty)
  const { save, isSaving } = useSaveDetails(form, profile)
  return (
    <form method="post" noValidate onSubmit={form.handleSubmit(save)}>
      <div className="grid gap-5 px-5 pb-6">
        {profile.pendingEmail && <PendingEmail email={profile.email} to={profile.pendingEmail} />}
        <DetailsFields form={form} hasPassword={profile.hasPassword} />
      </div>
      <footer className="flex justify-end rounded-b-card border-line border-t bg-sunken px-5 py-3.5">
        <Button type="submit" isPending={isSaving}>
          {isSaving ? 'Saving...' : 'Save changes'}
        </Button>
      </footer>
      {unsaved.question}
    </form>
  )
}

/** A new e-mail address whose confirmation link was not opened yet. */
export function PendingEmail({ email, to }: { email: string; to: string }) {
  const client = useQueryClient()
  const withdraw = useCall(editProfile, {
    onSuccess: (profile) => {
      client.setQueryData(keyOf(getProfile, {}), profile)
      toast({ title: 'Your email stays as it is', description: email, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl bg-accent-wash px-3.5 py-3 text-sm"
    >
      <MailQuestion className="size-4 shrink-0 text-accent-ink" aria-hidden />
      <p className="min-w-0 flex-1 basis-56">
        Open the link that we sent to <strong className="wrap-anywhere font-medium">{to}</strong> to
        make it your email.
      </p>
      <Button
        variant="secondary"
        size="small"
        isPending={withdraw.isPending}
        onClick={() => withdraw.mutate({ body: { email } })}
      >
        Keep the old one
      </Button>
    </div>
  )
}

function useSaveDetails(form: UseFormReturn<DetailsValues>, before: Profile) {
  const client = useQueryClient()
  const onError = (error: ApiError) => {
    if (error.type === 'USER_ALREADY_EXISTS')
      form.setError('email', { type: 'server', message: error.message }, { shouldFocus: true })
    else showRefusal(form, error)
  }
  const edit = useCall(editProfile, {
    onSuccess: (profile) => {
      const isMailed = profile.pendingEmail !== null && form.formState.dirtyFields.email === true
      form.reset(valuesOf(profile), SAVED)
      client.setQueryData(keyOf(getProfile, {}), profile)
      userChanged(profile)
      toast(
        isMailed
          ? {
              title: 'Please confirm your new email',
              description: `We sent a link to ${profile.pendingEmail}.`,
              variant: 'success',
            }
          : { title: 'Profile updated', variant: 'success' },
      )
    },
    onError,
  })
  const save = ({ firstName, lastName, email, password }: DetailsValues) => {
    // The address is sent only when it changed: sending the present one would cancel a pending change.
    const isNewEmail = email.trim().toLowerCase() !== before.email
    edit.mutate({ body: { firstName, lastName, ...(isNewEmail ? { email, password } : {}) } })
  }
  return { save, isSaving: edit.isPending }
}

function LoadingForm() {
  return (
    <div className="grid gap-5 px-5 pb-6 sm:grid-cols-2">
      <p role="status" className="sr-only">
        Loading...
      </p>
      {[0, 1, 2, 3].map((field) => (
        <div key={field} className="grid gap-1.5">
          <Skeleton className="h-5 w-20" />
          <Skeleton className="h-10 w-full" />
        </div>
      ))}
    </div>
  )
}

/** The page behind an access link: shows the mailbox and lets its holder choose a password. */

import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import type { z } from 'zod'
import {
  ACCESS_LINK_DAYS,
  acceptAccess,
  acceptFields,
  type OpenedAccess,
  openAccess,
} from '#contract/mail/access.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { QueryProvider } from '#web/lib/api/query-provider.tsx'
import { signIn } from '#web/lib/api/session.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { PasswordField } from '#web/ui/form/password-input.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'
import { AuthHeading } from './auth-parts.tsx'
import { askedFactorIn } from './factors/asked-factor.ts'
import { useLinkToken } from './use-link-token.ts'

export function AccessLinkPage() {
  usePageTitle('Your mailbox')
  return (
    <QueryProvider>
      <AccessView />
    </QueryProvider>
  )
}

function AccessView() {
  const token = useLinkToken()
  const [doneFor, setDoneFor] = useState<string | null>(null)
  const opened = useApi(
    openAccess,
    { body: { session: token } },
    { enabled: token !== '' && doneFor === null, gcTime: 0 },
  )
  if (doneFor !== null) return <AccessSet email={doneFor} />
  if (token === '' || [400, 422].includes(opened.error?.statusCode ?? 0))
    return <EndedLink type="BROKEN" />
  if (opened.isError && !opened.data)
    return (
      <>
        <h1 tabIndex={-1} className="sr-only">
          Your mailbox
        </h1>
        <ErrorState
          title="Error loading the mailbox"
          description={opened.error.message}
          onRetry={() => opened.refetch()}
        />
      </>
    )
  if (!opened.data)
    return (
      <div role="status" className="flex items-center justify-center gap-3 text-sm text-soft">
        <Spinner className="size-5" />
        <h1 tabIndex={-1}>Opening your mailbox...</h1>
      </div>
    )
  if (opened.data.type !== 'OPEN') return <EndedLink type={opened.data.type} />
  return (
    <SetPasswordForm
      token={token}
      mailbox={opened.data}
      onDone={setDoneFor}
      onStale={() => void opened.refetch()}
    />
  )
}

type SetPasswordFormProps = {
  token: string
  mailbox: Extract<OpenedAccess, { type: 'OPEN' }>
  /** The password is set, and the mailbox is suspended: nobody signs in to it now. */
  onDone: (email: string) => void
  /** Called when the link has changed since it was loaded. */
  onStale: () => void
}

export function SetPasswordForm({ token, mailbox, onDone, onStale }: SetPasswordFormProps) {
  const { email, workspaceName, isReset } = mailbox
  const form = useForm<z.input<typeof acceptFields>>({
    resolver: zodResolver(acceptFields),
    defaultValues: { password: '', confirmPassword: '' },
  })
  const [refusal, setRefusal] = useState('')
  const navigate = useNavigate()
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (values) => {
    setRefusal('')
    try {
      const accepted = await call(acceptAccess, { body: { ...values, session: token } })
      if (accepted.session === null) return onDone(accepted.email)
      signIn(accepted.session)
      await navigate(paths.viewMail(), { replace: true })
    } catch (error) {
      const asked = askedFactorIn(error)
      // The password is set; the second step is on the login page.
      if (asked) return navigate(paths.login(), { replace: true, state: { asked } })
      if (error instanceof ApiError && ['INVALID_SIGNATURE', 'LINK_EXPIRED'].includes(error.type))
        return onStale()
      if (!showFieldErrors(form, error)) setRefusal(messageOf(error))
    }
  })
  return (
    <>
      <AuthHeading title={isReset ? 'Set a new password' : 'Your mailbox is ready'}>
        {isReset ? (
          <>
            For <strong className="font-medium text-ink">{email}</strong>. All your sessions end
            when it is saved.
          </>
        ) : (
          <>
            {workspaceName} has made <strong className="font-medium text-ink">{email}</strong> for
            you. Choose a password that only you know.
          </>
        )}
      </AuthHeading>
      <form method="post" noValidate onSubmit={submit} className="grid gap-5">
        {/* Password managers look for the user name. */}
        <input type="text" autoComplete="username" hidden readOnly value={email} />
        {refusal && <FormAlert>{refusal}</FormAlert>}
        <PasswordField
          label="Password"
          hint="At least 8 characters, with lowercase, uppercase, a number and a special character"
          error={errors.password?.message}
          {...form.register('password')}
        />
        <PasswordField
          label="Confirm Password"
          error={errors.confirmPassword?.message}
          {...form.register('confirmPassword')}
        />
        <Button type="submit" size="large" isPending={isSubmitting}>
          {isSubmitting ? 'Saving...' : 'Save password'}
        </Button>
      </form>
    </>
  )
}

type Ended = Exclude<OpenedAccess['type'], 'OPEN'> | 'BROKEN'

const texts: Record<Ended, readonly [title: string, text: string]> = {
  EXPIRED: [
    'This link has expired',
    `It works for ${ACCESS_LINK_DAYS} days. Ask the person who gave it to you for a new one.`,
  ],
  USED: [
    'This link has been used',
    'It works once. If that was you, log in with the address of your mailbox. If it was not, tell your administrator at once.',
  ],
  WITHDRAWN: [
    'This link was withdrawn',
    'There may be a newer one. Ask the person who gave it to you.',
  ],
  BROKEN: [
    'This link is not valid',
    'Part of it may be missing. Open it again exactly as you got it, or ask for a new one.',
  ],
}

export function EndedLink({ type }: { type: Ended }) {
  const [title, text] = texts[type]
  return (
    <>
      <AuthHeading title={title}>{text}</AuthHeading>
      <Button asChild size="large" className="w-full">
        <Link to={paths.login()}>Go to login</Link>
      </Button>
    </>
  )
}

/** Without a sign-in, since the mailbox is suspended. The form is gone, so the heading that replaces it takes the focus. */
export function AccessSet({ email }: { email: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('h1')?.focus(), [])
  return (
    <div ref={box}>
      <AuthHeading title="Your password is set">
        You log in with <strong className="font-medium text-ink">{email}</strong> and this password
        once your administrator has resumed the mailbox: it is suspended.
      </AuthHeading>
      <Button asChild size="large" className="w-full">
        <Link to={paths.login()} state={{ email }}>
          Log in
        </Link>
      </Button>
    </div>
  )
}

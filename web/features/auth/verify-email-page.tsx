import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { verifyEmail } from '#contract/auth.ts'
import type { Output } from '#contract/route.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { signIn } from '#web/lib/api/session.ts'
import { startSession } from '#web/lib/api/start-session.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Spinner } from '#web/ui/state/loading.tsx'
import { AuthHeading } from './auth-parts.tsx'
import { ResendButton } from './mail-sent.tsx'
import { useLinkToken } from './use-link-token.ts'

type Verified = Output<typeof verifyEmail>

// A link works once. Development renders twice, and both renders must share one answer.
const asked = new Map<string, Promise<Verified>>()
function openLink(token: string): Promise<Verified> {
  const open = asked.get(token) ?? call(verifyEmail, { body: { session: token } })
  asked.set(token, open)
  return open
}

/** Opens a verification link: signs the user in, or says why not. */
export function VerifyEmailPage() {
  usePageTitle('Verify email')
  const token = useLinkToken()
  const navigate = useNavigate()
  const [expired, setExpired] = useState<{ email: string } | null>(null)
  useEffect(() => {
    let isHere = true
    const react = async (answer: Verified) => {
      // This page does not restore the session, so login would not know of it.
      if (answer.type === 'ALREADY_VERIFIED') await startSession(false)
      if (!isHere) return
      if (answer.type === 'VERIFIED') {
        signIn(answer)
        toast({
          title: 'Email verified successfully',
          ...(answer.isChange ? { description: `You now log in with ${answer.email}.` } : {}),
          variant: 'success',
        })
        const state = { showWelcomeModal: !answer.isChange }
        void navigate(answer.isChange ? paths.profile() : paths.dashboard(), {
          replace: true,
          state,
        })
      } else if (answer.type === 'LINK_EXPIRED') {
        toast({ title: 'Link Expired', description: answer.message, variant: 'error' })
        setExpired({ email: answer.email })
      } else {
        toast({ title: 'Already Verified', description: answer.message })
        void navigate(paths.login(), { replace: true })
      }
    }
    openLink(token).then(react, (error: unknown) => {
      const isBroken = error instanceof ApiError && error.statusCode < 429
      const state = { isMailedLink: true, isBroken }
      if (isHere) void navigate(paths.notFound(), { replace: true, state })
    })
    return () => {
      isHere = false
    }
  }, [token, navigate])
  if (expired)
    return (
      <>
        <AuthHeading title="Verification link has expired">
          Links work for a short time only. We can send a new one to{' '}
          <strong className="wrap-anywhere font-medium text-ink">{expired.email}</strong>.
        </AuthHeading>
        <ResendButton email={expired.email} kind="email-verification" startsCounting={false} />
      </>
    )
  return (
    <div role="status" className="flex items-center justify-center gap-3 text-sm text-soft">
      <Spinner className="size-5" />
      <h1 tabIndex={-1}>Verifying your email...</h1>
    </div>
  )
}

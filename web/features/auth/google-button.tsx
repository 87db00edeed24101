import { useEffect, useId, useState } from 'react'
import { useLocation } from 'react-router'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { toast } from '#web/lib/toast-store.ts'
import { returnPath } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { rememberReturn } from './google-return-page.tsx'
import { useInstallation } from './use-installation.ts'

type GoogleButtonProps = {
  /** The path to return to; undefined: the page that was requested before login. */
  from?: string
}

/** Redirects to the provider. Without a provider the button says why it is disabled (decision 077). */
export function GoogleButton({ from }: GoogleButtonProps) {
  const [isPending, setIsPending] = useState(false)
  const installation = useInstallation()
  const location = useLocation()
  const reasonId = useId()
  useEffect(() => {
    // Back from the provider, the browser may restore the page from its cache, with the button still pending.
    const wakeUp = ({ persisted }: PageTransitionEvent) => persisted && setIsPending(false)
    addEventListener('pageshow', wakeUp)
    return () => removeEventListener('pageshow', wakeUp)
  }, [])
  const isMissing = installation?.google === false
  const start = async () => {
    if (isMissing) return
    setIsPending(true)
    try {
      const { startGoogle } = await import('./login-contract.ts')
      const { url } = await call(startGoogle, {})
      rememberReturn(returnPath(from ?? (location.state as { from?: unknown } | null)?.from))
      window.location.assign(url)
    } catch (error) {
      setIsPending(false)
      toast({ title: 'Error', description: messageOf(error), variant: 'error' })
    }
  }
  return (
    <div className="grid gap-2">
      <Button
        variant="secondary"
        size="large"
        className="w-full"
        isPending={isPending}
        // Not `disabled`: keyboard and screen reader must reach the reason below.
        aria-disabled={isMissing}
        {...(isMissing ? { 'aria-describedby': reasonId } : {})}
        onClick={start}
      >
        <GoogleMark />
        Continue with Google
      </Button>
      {isMissing && (
        <p id={reasonId} className="text-center text-soft text-xs">
          Google sign-in is not set up here
        </p>
      )}
    </div>
  )
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden>
      <path
        fill="#4285F4"
        d="M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92a8.78 8.78 0 0 0 2.68-6.62z"
      />
      <path
        fill="#34A853"
        d="M9 18c2.43 0 4.47-.8 5.96-2.18l-2.92-2.26c-.8.54-1.84.86-3.04.86-2.34 0-4.33-1.58-5.04-3.71H.96v2.33A9 9 0 0 0 9 18z"
      />
      <path fill="#FBBC05" d="M3.96 10.71a5.41 5.41 0 0 1 0-3.42V4.96H.96a9 9 0 0 0 0 8.08z" />
      <path
        fill="#EA4335"
        d="M9 3.58c1.32 0 2.5.45 3.44 1.35l2.58-2.59A9 9 0 0 0 .96 4.96l3 2.33C4.67 5.16 6.66 3.58 9 3.58z"
      />
    </svg>
  )
}

/** Signing in by a passkey, without e-mail and password. The server draws no button: it does not know the browser. */
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SignedIn } from '#contract/auth.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { canUsePasskeys } from '#web/second-step/browser-passkeys.ts'
import { Button } from '#web/ui/form/button.tsx'
import { useInBrowser } from '#web/ui/use-in-browser.ts'

/** What the person chose, not yet sent. */
const choosePasskey = async (isOffered: boolean): Promise<() => Promise<SignedIn>> => {
  const { beginPasskeySignIn, signInByPasskey } = await import('#contract/account/passkeys.ts')
  const { askBrowserPasskey } = await import('#web/second-step/browser-passkeys.ts')
  const { challenge, options } = await call(beginPasskeySignIn, {})
  const passkey = await askBrowserPasskey(options, { isOffered })
  return () => call(signInByPasskey, { body: { challenge, passkey } })
}

type OnSignedIn = (session: SignedIn) => Promise<void>

export function PasskeyButton({ onSignedIn }: { onSignedIn: OnSignedIn }) {
  const isPossible = useInBrowser(canUsePasskeys, false)
  const [isPending, setIsPending] = useState(false)
  useOfferedPasskeys(onSignedIn)
  if (!isPossible) return null
  const start = async () => {
    setIsPending(true)
    try {
      const signIn = await choosePasskey(false)
      await onSignedIn(await signIn())
    } catch (error) {
      toastError(messageOf(error))
    } finally {
      setIsPending(false)
    }
  }
  return (
    <Button
      variant="secondary"
      size="large"
      className="mt-3 w-full"
      isPending={isPending}
      onClick={start}
    >
      {!isPending && <KeyRound aria-hidden />}
      Sign in with a passkey
    </Button>
  )
}

const isExpired = (error: unknown): boolean =>
  error instanceof ApiError && error.type === 'SIGN_IN_EXPIRED'

/** Where a passkey was used before, the browser lists passkeys at the field for the e-mail. */
function useOfferedPasskeys(onSignedIn: OnSignedIn): void {
  const [signedIn] = useState(() => onSignedIn)
  useEffect(() => {
    let isGone = false
    const offer = async () => {
      const { mayOfferPasskeys } = await import('#web/second-step/browser-passkeys.ts')
      if (!(await mayOfferPasskeys()) || isGone) return
      // Until they choose one the person asked for nothing: what fails before is no news for them.
      const signIn = await choosePasskey(true).catch(() => null)
      if (signIn === null || isGone) return
      try {
        await signedIn(await signIn())
      } catch (error) {
        toastError(messageOf(error))
        // The page stood open for longer than a challenge lives: the next choice has a new one.
        if (isExpired(error) && !isGone) await offer()
      }
    }
    void offer().catch(() => undefined)
    return () => {
      isGone = true
    }
  }, [signedIn])
}

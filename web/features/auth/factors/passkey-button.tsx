/** Signing in by a passkey, without e-mail and password. The server draws no button: it does not know the browser. */
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SignedIn } from '#contract/auth.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { canUsePasskeys } from '#web/second-step/browser-passkeys.ts'
import { Button } from '#web/ui/form/button.tsx'
import { useInBrowser } from '#web/ui/use-in-browser.ts'

const signInByPasskey = async (isOffered: boolean): Promise<SignedIn> => {
  const { beginPasskeySignIn, signInByPasskey } = await import('#contract/account/passkeys.ts')
  const { askBrowserPasskey } = await import('#web/second-step/browser-passkeys.ts')
  const { challenge, options } = await call(beginPasskeySignIn, {})
  const passkey = await askBrowserPasskey(options, { isOffered })
  return call(signInByPasskey, { body: { challenge, passkey } })
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
      await onSignedIn(await signInByPasskey(false))
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

/** Where a passkey was used before, the browser lists passkeys at the field for the e-mail. */
function useOfferedPasskeys(onSignedIn: OnSignedIn): void {
  const [signedIn] = useState(() => onSignedIn)
  useEffect(() => {
    let isGone = false
    const offer = async () => {
      const { mayOfferPasskeys } = await import('#web/second-step/browser-passkeys.ts')
      if (!(await mayOfferPasskeys()) || isGone) return
      const session = await signInByPasskey(true)
      if (!isGone) await signedIn(session)
    }
    // The person did not ask: what fails here is no news for them.
    offer().catch(() => undefined)
    return () => {
      isGone = true
    }
  }, [signedIn])
}

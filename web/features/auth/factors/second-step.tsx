/** The second step of a sign-in: what the person has besides the password. */
import { useEffect, useRef, useState } from 'react'
import { type AskedFactor, answerSecondFactor } from '#contract/account/second-factor.ts'
import type { SignedIn } from '#contract/auth.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { type Proof, ProveForm } from '#web/second-step/prove-form.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { AuthHeading } from '../auth-parts.tsx'

type SecondStepProps = {
  asked: AskedFactor
  onSignedIn: (session: SignedIn) => Promise<void>
  /** Back to the first step. */
  onLeave: () => void
}

export function SecondStep({ asked, onSignedIn, onLeave }: SecondStepProps) {
  const [isTrusted, setIsTrusted] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Where there is no field to write in, the heading says what is asked.
    if (!box.current?.querySelector('input')) box.current?.querySelector('h1')?.focus()
  }, [])
  const prove = async ({ password: _, ...proof }: Proof) => {
    const { challenge } = asked
    try {
      const body = { challenge, ...proof, trustBrowser: isTrusted }
      await onSignedIn(await call(answerSecondFactor, { body }))
    } catch (error) {
      const isOver = error instanceof ApiError && OVER.includes(error.type)
      if (!isOver) throw error
      toastError(messageOf(error))
      onLeave()
    }
  }
  return (
    <div ref={box}>
      <AuthHeading title="Confirm that it is you">
        Your account has a second factor. It is asked for after the password.
      </AuthHeading>
      <ProveForm
        methods={asked.methods}
        passkey={asked.passkey}
        submitText="Continue"
        onProve={prove}
      >
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is a button inside */}
        <label className="flex items-start gap-2.5 text-sm">
          <Checkbox
            checked={isTrusted}
            onCheckedChange={(checked) => setIsTrusted(checked === true)}
            className="mt-0.5"
          />
          <span>
            Trust this browser
            <span className="block text-soft text-xs">
              For 30 days the password is enough here. Do not choose this on a computer that others
              use.
            </span>
          </span>
        </label>
      </ProveForm>
      <p className="mt-7 text-center">
        <Button variant="link" size="inline" onClick={onLeave}>
          Back to login
        </Button>
      </p>
    </div>
  )
}

/** The first step has to be done again. */
const OVER = ['SIGN_IN_EXPIRED', 'INVALID_PASSWORD', 'MAILBOX_SUSPENDED']

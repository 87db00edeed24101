import { useState } from 'react'
import type { z } from 'zod'
import { type mailKind, RESEND_COOLDOWN_SECONDS, resendVerifyEmail } from '#contract/auth.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { useCountdown } from './use-countdown.ts'

type ResendButtonProps = {
  email: string
  kind: z.infer<typeof mailKind>
  /** A mail has just gone out, so the wait has begun. */
  startsCounting: boolean
  variant?: 'primary' | 'secondary'
}

const failed = (description: string): void => {
  toast({ title: 'Resend Failed', description, variant: 'error' })
}

/** A blank address has words of its own, and there is no field here to show those about a wrong one at. */
const reasonFor = (error: unknown): string => {
  const refused = error instanceof ApiError && error.type === 'VALIDATION' && error.data.email
  return typeof refused === 'string' ? refused : messageOf(error)
}

/** Sends the mail again, not more often than every 30 seconds. */
export function ResendButton({
  email,
  kind,
  startsCounting,
  variant = 'primary',
}: ResendButtonProps) {
  const [isSending, setIsSending] = useState(false)
  const { secondsLeft, start } = useCountdown(RESEND_COOLDOWN_SECONDS, startsCounting)
  const resend = async () => {
    if (secondsLeft > 0) return
    const address = email.trim()
    if (!address) return failed('No email provided')
    setIsSending(true)
    try {
      await call(resendVerifyEmail, { body: { email: address, type: kind } })
      toast({
        title: 'Email Resent',
        description: `Verification email sent to ${address}`,
        variant: 'success',
      })
      start()
    } catch (error) {
      failed(reasonFor(error))
    } finally {
      setIsSending(false)
    }
  }
  return (
    <Button
      variant={variant}
      size="large"
      className="w-full tabular-nums"
      isPending={isSending}
      // Not disabled: who has just pressed it keeps the focus, and hears how long it takes.
      aria-disabled={secondsLeft > 0}
      onClick={resend}
    >
      {secondsLeft > 0 ? `Resend in ${secondsLeft}s` : 'Resend Email'}
    </Button>
  )
}

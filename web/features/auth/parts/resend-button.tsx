import { useState } from 'react'
import type { z } from 'zod'
import { type mailKind, RESEND_COOLDOWN_SECONDS, resendVerifyEmail } from '#contract/auth.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
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
    setIsSending(true)
    try {
      if (!email.trim()) throw new Error('No email provided')
      await call(resendVerifyEmail, { body: { email, type: kind } })
      toast({
        title: 'Email Resent',
        description: `Verification email sent to ${email}`,
        variant: 'success',
      })
      start()
    } catch (error) {
      const description = email.trim() ? messageOf(error) : 'No email provided'
      toast({ title: 'Resend Failed', description, variant: 'error' })
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
      disabled={secondsLeft > 0}
      onClick={resend}
    >
      {secondsLeft > 0 ? `Resend in ${secondsLeft}s` : 'Resend Email'}
    </Button>
  )
}

import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { type mailKind, RESEND_COOLDOWN_SECONDS, resendVerifyEmail } from '#contract/auth.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { useSecondsUntil } from '#web/lib/time/use-now.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'

/** Picture of a letter on its way. */
export function MailSent({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 200 110" fill="none" aria-hidden className={className}>
      <path
        d="M14 84c26 12 44-4 40-20s-22-8-14 6 34 12 52 0"
        className="stroke-control"
        strokeWidth="2"
        strokeDasharray="1 6"
        strokeLinecap="round"
      />
      <g transform="rotate(-8 138 54)">
        <rect
          x="92"
          y="22"
          width="92"
          height="62"
          rx="8"
          className="fill-accent-wash stroke-accent-ink"
          strokeWidth="2"
        />
        <path
          d="m96 28 37 28a8 8 0 0 0 10 0l37-28"
          className="stroke-accent-ink"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </g>
    </svg>
  )
}

/** Where the link is while SYSTEM_MAIL=outbox. The terminal alone knows the whole address of the page. */
export function KeptMail({ address }: { address: ReactNode }) {
  return (
    <>
      This installation sends no mail yet. The link for {address} is in the terminal where Mailstead
      runs, and on the page /dev/outbox, whose full address the terminal shows.
    </>
  )
}

type ResendButtonProps = {
  email: string
  kind: z.infer<typeof mailKind>
  /** true: a mail was just sent, so the countdown starts at once. */
  startsCounting: boolean
  variant?: 'primary' | 'secondary'
}

const failed = (description: string): void => {
  toast({ title: 'Resend Failed', description, variant: 'error' })
}

/** Here is no field to show a validation error at, so its text goes into the toast. */
const reasonFor = (error: unknown): string => {
  const refused = error instanceof ApiError && error.type === 'VALIDATION' && error.data.email
  return typeof refused === 'string' ? refused : messageOf(error)
}

/** Sends the mail again, at most every 30 seconds. */
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
      // Not `disabled`: the button keeps the focus after it was pressed, and screen readers announce the countdown.
      aria-disabled={secondsLeft > 0}
      onClick={resend}
    >
      {secondsLeft > 0 ? `Resend in ${secondsLeft}s` : 'Resend Email'}
    </Button>
  )
}

export function useCountdown(seconds: number, startsAtOnce: boolean) {
  const fromNow = () => Date.now() + seconds * 1000
  const [endsAtMs, setEndsAtMs] = useState(() => (startsAtOnce ? fromNow() : 0))
  const secondsLeft = useSecondsUntil(endsAtMs, seconds)
  return { secondsLeft, start: () => setEndsAtMs(fromNow()) }
}

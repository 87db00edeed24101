import { Link } from 'react-router'
import type { Mailbox } from '#contract/mailboxes.ts'
import { paths } from '#web/paths.ts'

/** Why a mailbox does not do all that one expects, and what to do about it. */
export function StatusNote({ mailbox }: { mailbox: Mailbox }) {
  if (mailbox.status === 'active') return null
  const isInactive = mailbox.status === 'inactive'
  return (
    <p className="border-line border-b bg-warn-wash px-4 py-2 text-warn text-xs">
      {isInactive
        ? 'This mailbox is not active: it neither receives nor sends until it is paid for. '
        : 'This mailbox is suspended: it receives, but cannot send. '}
      <Link to={paths.mailboxes()} className="font-medium underline underline-offset-2">
        {isInactive ? 'Activate it' : 'See mailboxes'}
      </Link>
    </p>
  )
}

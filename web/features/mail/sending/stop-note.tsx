import { Link } from 'react-router'
import { getSending, stopSentence } from '#contract/mail/sending.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { paths } from '#web/paths.ts'

/** Above the messages of a mailbox that a burst of bounces stopped. */
export function StopNote({ mailbox }: { mailbox: Mailbox }) {
  const { data } = useApi(getSending, { params: { id: mailbox._id } })
  return (
    <div role="status">
      {data?.stopped && (
        <p className="border-line border-b bg-bad-wash px-4 py-2 text-bad text-xs">
          {stopSentence(data.stopped)} What is on its way waits.{' '}
          <Link
            to={paths.mailboxSettings({ mailbox: mailbox._id })}
            className="font-medium underline underline-offset-2"
          >
            See why, and what to do
          </Link>
        </p>
      )}
    </div>
  )
}

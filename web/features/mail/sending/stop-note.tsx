import { Link } from 'react-router'
import { getSending, stopSentence } from '#contract/mail/sending.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { paths } from '#web/paths.ts'
import { SENDING_SECTION } from './sending-place.ts'

/** Below the list of a mailbox that a burst of bounces stopped: it comes while somebody reads, and no row moves for it. */
export function StopNote({ mailbox }: { mailbox: Mailbox }) {
  const { data } = useApi(getSending, { params: { id: mailbox._id } })
  return (
    <div role="status" className="mt-auto">
      {data?.stopped && (
        <p className="border-line border-t bg-bad-wash px-4 py-2 text-bad text-xs">
          {stopSentence(data.stopped)} Messages on their way wait.{' '}
          <Link
            to={`${paths.mailboxSettings({ mailbox: mailbox._id })}#${SENDING_SECTION}`}
            className="font-medium underline underline-offset-2"
          >
            See why, and what to do
          </Link>
        </p>
      )}
    </div>
  )
}

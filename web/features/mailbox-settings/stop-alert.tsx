import { Link } from 'react-router'
import {
  getSending,
  resumeSending,
  type SendingStop,
  stopSentence,
  whoResumes,
} from '#contract/mail/sending.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatMoment } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SENDING_SECTION } from './sending-place.ts'

/** What happened, what to do, and for an Admin the button that resumes sending. */
export function StopAlert({ mailbox, stop }: { mailbox: Mailbox; stop: SendingStop }) {
  const canResume = useCan('resume-sending')
  const { resume, isResuming } = useResume(mailbox)
  return (
    <FormAlert>
      <div className="grid gap-2">
        <p className="font-medium">{stopSentence(stop)}</p>
        <p className="wrap-anywhere">
          It stopped on <LocalTime at={stop.at} format={formatMoment} />.
          {stop.example !== '' && ` One of the answers: “${stop.example}”`}
        </p>
        <p>
          Outgoing messages wait here for up to five days. If you did not write them, another person
          knows the password: change it first. If you did, remove those from your list who do not
          exist, or do not want your mail.
        </p>
        {canResume && stop.operatorReason === null ? (
          <div>
            <Button variant="secondary" isPending={isResuming} onClick={resume}>
              Resume sending
            </Button>
          </div>
        ) : (
          <p className="wrap-anywhere">{whoResumes(stop)}</p>
        )}
      </div>
    </FormAlert>
  )
}

function useResume(mailbox: Mailbox) {
  const call = useCall(resumeSending, {
    onSuccess: () => {
      toast({
        title: 'Sending resumed',
        description: `Messages that waited in ${mailbox.email} are sent now.`,
        variant: 'success',
      })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const resume = () => call.mutate({ params: { id: mailbox._id } })
  return { resume, isResuming: call.isPending }
}

/** Below the message list of a mailbox that was stopped for bounces. It may appear while the user reads, so it moves no row. */
export function StopNote({ mailbox }: { mailbox: Mailbox }) {
  const { data } = useApi(getSending, { params: { id: mailbox._id } })
  return (
    <div role="status" className="mt-auto">
      {data?.stopped && (
        <p className="border-line border-t bg-bad-wash px-4 py-2 text-bad text-xs">
          {stopSentence(data.stopped)} Outgoing messages wait.{' '}
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

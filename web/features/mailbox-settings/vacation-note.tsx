import { Link } from 'react-router'
import { getVacation } from '#contract/mail/vacation.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { paths } from '#web/paths.ts'
import { untilWords } from './vacation-form.tsx'

/** Fragment of the URL that leads to the card. */
export const VACATION_SECTION = 'vacation'

/** Below the message list of a mailbox with an active vacation reply, as a reminder to turn it off. */
export function VacationNote({ mailbox }: { mailbox: Mailbox }) {
  const { data } = useApi(getVacation, { params: { id: mailbox._id } })
  if (data?.state !== 'on') return null
  return (
    <p className="border-line border-t bg-accent-wash px-4 py-2 text-accent-ink text-xs">
      Your vacation reply is on {untilWords(data)}.{' '}
      <Link
        to={`${paths.mailboxSettings({ mailbox: mailbox._id })}#${VACATION_SECTION}`}
        className="font-medium underline underline-offset-2"
      >
        Change it
      </Link>
    </p>
  )
}

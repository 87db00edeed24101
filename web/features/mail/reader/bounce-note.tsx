/** Below a report that a message was not delivered: the way to mend its address and send it again. */
import { Redo2 } from 'lucide-react'
import { createContext, useContext } from 'react'
import type { Message } from '#contract/messages.ts'
import { Button } from '#web/ui/form/button.tsx'

/** Opens the message of this report again; null where nobody writes. */
export type SendAgain = ((bounce: Message, recipient: string) => void) | null
export const SendAgainContext = createContext<SendAgain>(null)

/** The subject that our own reports have (server: standards/bounce). */
const subjectOfBounce = /^Not delivered to (\S+@\S+)$/

/** Of a file of a report that only mail programs read. */
export const isReportPart = ({ contentType }: { contentType: string }): boolean =>
  /^(?:message\/(?:global-)?delivery-status|text\/rfc822-headers)$/i.test(contentType)

/** The recipient whom a message from here did not reach; null: this is no report of our own. */
export function undelivered(message: Message): string | null {
  const { subject, authentication, inReplyTo, attachments } = message
  // A report that came from elsewhere was checked.
  if (authentication !== null || inReplyTo === null || !attachments.some(isReportPart)) return null
  return subjectOfBounce.exec(subject)?.[1] ?? null
}

export function BounceNote({ message }: { message: Message }) {
  const sendAgain = useContext(SendAgainContext)
  const recipient = undelivered(message)
  if (recipient === null || sendAgain === null) return null
  return (
    <p className="px-5 pt-4 sm:px-6">
      <Button variant="secondary" onClick={() => sendAgain(message, recipient)}>
        <Redo2 aria-hidden />
        Correct the address and send again
      </Button>
    </p>
  )
}

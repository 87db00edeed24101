/** An invitation to an event that a message carries, and the reader's answer (RFC 5546, RFC 6047). */
import { z } from 'zod'
import { route } from '../route.ts'

export const eventAnswer = z.enum(['accepted', 'declined', 'tentative'])
export type EventAnswer = z.infer<typeof eventAnswer>

/** A day as YYYY-MM-DD; a moment; or a time without a zone, given as if it were UTC. `zone`: the organiser's, an IANA name. */
const eventTime = z.object({
  at: z.string(),
  kind: z.enum(['day', 'moment', 'floating']),
  zone: z.string().nullable(),
})
export type EventTime = z.infer<typeof eventTime>

const eventPerson = z.object({ name: z.string(), address: z.string() })

export const eventInvitation = z.object({
  title: z.string(),
  place: z.string(),
  description: z.string(),
  start: eventTime,
  /** null: not said. After the last day of whole days. */
  end: eventTime.nullable(),
  /** In words; null: once. */
  recurrence: z.string().nullable(),
  isCancelled: z.boolean(),
  /** true: it changes an event that was sent before. */
  isUpdate: z.boolean(),
  /** Who gets the answer; null: nobody, so there is none to give. */
  organizer: eventPerson.nullable(),
  /** At most 100. */
  guests: z.array(eventPerson.extend({ status: z.enum([...eventAnswer.options, 'none']) })),
  guestCount: z.number().int(),
  /** What the reader answered to this message. */
  answer: eventAnswer.nullable(),
  /** Attachments that are the same file once more. */
  copies: z.array(z.number().int()),
})
export type EventInvitation = z.infer<typeof eventInvitation>

const oneMessage = z.object({ id: z.string(), messageId: z.string() })
const found = z.object({ invitation: eventInvitation.nullable() })

export const getInvitationOf = route({
  method: 'GET',
  path: '/mailboxes/{id}/messages/{messageId}/invitation',
  summary: 'The invitation to an event that a message carries, if it does',
  access: 'open-mailboxes',
  reads: ['content'],
  params: oneMessage,
  output: found,
  errors: ['NOT_EXISTS'],
})

export const answerInvitation = route({
  method: 'POST',
  path: '/mailboxes/{id}/messages/{messageId}/invitation',
  summary: 'Send the organiser of an event a yes, a no or a maybe',
  access: 'open-mailboxes',
  changes: ['messages', 'content'],
  params: oneMessage,
  body: z.strictObject({ answer: eventAnswer }),
  output: found,
  errors: [
    'NOT_EXISTS',
    'MAILBOX_DELETED',
    'MAILBOX_NOT_ACTIVE',
    'DOMAIN_NOT_ACTIVE',
    'SENDING_STOPPED',
    'MAILBOX_SENDING_STOPPED',
    'SENDING_LIMIT',
    'STORAGE_FULL',
  ],
})

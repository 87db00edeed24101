/** An invitation to an event that a message carries, and the reader's answer (RFC 5546, RFC 6047). */
import { z } from 'zod'
import { person } from '../messages.ts'
import { route } from '../route.ts'

export const eventAnswer = z.enum(['accepted', 'declined', 'tentative'])
export type EventAnswer = z.infer<typeof eventAnswer>

/** A day as YYYY-MM-DD; a moment; or a time without a zone, given as if it were UTC. `zone`: the organiser's, an IANA name. */
export const eventTime = z.object({
  at: z.string(),
  kind: z.enum(['day', 'moment', 'floating']),
  zone: z.string().nullable(),
})
export type EventTime = z.infer<typeof eventTime>

export const eventInvitation = z.object({
  title: z.string(),
  place: z.string(),
  description: z.string(),
  start: eventTime,
  end: eventTime.nullable().describe('null: not said. After the last day of whole days.'),
  recurrence: z.string().nullable().describe('In words; null: once.'),
  isCancelled: z.boolean(),
  isUpdate: z.boolean().describe('true: it changes an event that was sent before.'),
  organizer: person
    .nullable()
    .describe('Who gets the answer; null: nobody, so there is none to give.'),
  guests: z
    .array(person.extend({ status: z.enum([...eventAnswer.options, 'none']) }))
    .describe('At most 100.'),
  guestCount: z.number().int(),
  answer: eventAnswer.nullable().describe('What the reader answered to this message.'),
  copies: z.array(z.number().int()).describe('Attachments that are the same file once more.'),
})
export type EventInvitation = z.infer<typeof eventInvitation>

const oneMessage = z.object({ id: z.string(), messageId: z.string() })
export const foundInvitation = z.object({ invitation: eventInvitation.nullable() })

export const getInvitationOf = route({
  name: 'getInvitationOf',
  method: 'GET',
  path: '/mailboxes/{id}/messages/{messageId}/invitation',
  summary: 'The invitation to an event that a message carries, if it does',
  access: 'open-mailboxes',
  reads: ['content'],
  params: oneMessage,
  output: foundInvitation,
  errors: ['NOT_EXISTS'],
})

export const answerInvitation = route({
  name: 'answerInvitation',
  method: 'POST',
  path: '/mailboxes/{id}/messages/{messageId}/invitation',
  summary: 'Send the organiser of an event a yes, a no or a maybe',
  access: 'open-mailboxes',
  changes: ['messages', 'content'],
  params: oneMessage,
  body: z.strictObject({ answer: eventAnswer }),
  output: foundInvitation,
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

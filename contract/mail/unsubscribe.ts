/** Leaving a mailing list by what its message offers (RFC 2369, RFC 8058). */
import { z } from 'zod'
import { sendMessage } from '../messages.ts'
import { route } from '../route.ts'

/** `one-click`: our server asks the list. `mail`: it sends a message from the mailbox. `page`: the reader opens a page of the list. */
export const unsubscribeWay = z.enum(['one-click', 'mail', 'page'])

export const unsubscribeOffer = z.object({
  way: unsubscribeWay.nullable().describe('null: the message offers no way.'),
  target: z
    .string()
    .describe(
      'The https: address of the page; of `one-click` the host that is asked, of `mail` the address that is written to.',
    ),
  letter: z
    .object({ subject: z.string(), text: z.string() })
    .nullable()
    .describe('Of `mail`: what the message says, in the words of the list.'),
  unsubscribedAt: z.iso.datetime().nullable().describe('When the reader last left this list here.'),
})
export type UnsubscribeOffer = z.infer<typeof unsubscribeOffer>

const oneMessage = z.object({ id: z.string(), messageId: z.string() })

export const getUnsubscribe = route({
  name: 'getUnsubscribe',
  method: 'GET',
  path: '/mailboxes/{id}/messages/{messageId}/unsubscribe',
  summary: 'How to leave the list that sent a message, and whether the reader did',
  access: 'open-mailboxes',
  reads: ['content'],
  params: oneMessage,
  output: unsubscribeOffer,
  errors: ['NOT_EXISTS'],
})

export const unsubscribe = route({
  name: 'unsubscribe',
  method: 'POST',
  path: '/mailboxes/{id}/messages/{messageId}/unsubscribe',
  summary: 'Leave the list: the server asks it (RFC 8058) or writes to it',
  access: 'open-mailboxes',
  changes: ['messages', 'content'],
  params: oneMessage,
  output: unsubscribeOffer,
  errors: ['NO_ONE_CLICK', 'UNSUBSCRIBE_FAILED', ...sendMessage.errors],
})

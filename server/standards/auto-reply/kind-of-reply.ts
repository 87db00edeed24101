import type { HeaderLine } from '../message-lines.ts'
import { isAutomatic, valuesOf } from './whom-to-answer.ts'

export type KindOfReply = 'answer' | 'automatic' | 'returned'

/** Decision 080. Who wrote a reply: a person, a vacation responder (RFC 3834), or a server that returns the message (RFC 3464). */
export const kindOfReply = (header: readonly HeaderLine[], mailFrom: string): KindOfReply => {
  if (
    valuesOf(header, 'content-type').some((value) => /^multipart\/report\b/i.test(value)) ||
    header.some(({ name }) => name === 'x-failed-recipients')
  )
    return 'returned'
  return mailFrom === '' || isAutomatic(header) ? 'automatic' : 'answer'
}

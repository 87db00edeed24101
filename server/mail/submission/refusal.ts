/** What a mail program reads when a mail is refused: an SMTP reply with a sentence for the person in front of it. */
import { AppError, type ErrorType } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { inAscii } from '#server/lib/plain-text.ts'
import { refusalOf as refusalOfMail, SmtpRefusal } from '../inbound/smtp-refusal.ts'

/** RFC 3463. With a 4 in front, a program may try again by itself. */
const codes: Partial<Record<ErrorType, string>> = {
  FORBIDDEN: '550 5.7.1',
  NOT_EXISTS: '550 5.7.1',
  MAILBOX_DELETED: '550 5.7.1',
  MAILBOX_NOT_ACTIVE: '550 5.7.1',
  DOMAIN_NOT_ACTIVE: '550 5.7.1',
  SENDING_STOPPED: '550 5.7.1',
  WORKSPACE_SUSPENDED: '550 5.7.1',
  MAILBOX_SENDING_STOPPED: '550 5.7.1',
  BAD_REQUEST: '554 5.6.0',
  STORAGE_FULL: '452 4.2.2',
}
const MAX_SENTENCE = 400

export const refusalOf = (app: App, error: unknown): Error => {
  if (!(error instanceof AppError)) return closing(refusalOfMail(app, error))
  const code = error.type === 'SENDING_LIMIT' ? codeOfLimit(error) : codes[error.type]
  return code === undefined
    ? refusalOfMail(app, error)
    : new SmtpRefusal(code, inAscii(error.message).slice(0, MAX_SENTENCE))
}

/** A message that will fit later may be tried again; one that never fits may not. */
const codeOfLimit = ({ data }: AppError): string => (data.roomAt ? '450 4.7.1' : '550 5.7.1')

/** smtp-server ends the connection only for a numeric 421. */
const closing = (refusal: SmtpRefusal): Error =>
  refusal.responseCode === '421'
    ? Object.assign(new Error(refusal.message), { responseCode: 421 })
    : refusal

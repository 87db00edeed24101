/** Errors of saving and sending: which are temporary, which belong to a field, and the text for the rest (decision 031). */

import { limitSentence, sendingLimit } from '#contract/mail/sending.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { type Passing, passing as passingCall } from '#web/lib/api/passing.ts'
import { formatMoment } from '#web/lib/format.ts'

/** Messages by field; `to.0` is the first recipient. */
export type ComposeErrors = Record<string, string>

/** A file that could not be uploaded; `cause` says why. */
export class FileUploadError extends Error {
  readonly filename: string

  constructor(filename: string, cause: unknown) {
    super('a file was not uploaded', { cause })
    this.filename = filename
  }
}

const causeOf = (error: unknown): unknown =>
  error instanceof FileUploadError ? error.cause : error

const typeOf = (error: unknown): string => (error instanceof ApiError ? error.type : '')

/** Returns null for an error that lasts until something changes. */
export const passing = (error: unknown): Passing | null => passingCall(causeOf(error))

/** Longest wait while the window says that it is sending. */
const MAX_WAIT_SECONDS = 120

/** Like `passing`, for sending: an internal error of the server is not retried without asking. */
export function passingWhileSending(error: unknown): Passing | null {
  const temporary = passing(error)
  if (temporary === null || temporary.afterSeconds > MAX_WAIT_SECONDS) return null
  return temporary.why === 'busy' && typeOf(causeOf(error)) !== 'UNAVAILABLE' ? null : temporary
}

/** The message may have been sent all the same: the client must ask about its key before it uses another one. */
export const isUncertain = (error: unknown): boolean =>
  error instanceof ApiError && (error.statusCode >= 500 || error.type === 'REFRESH')

/** Messages for fields of the form; empty when the error is about the whole message. */
export function fieldErrorsOf(error: unknown): ComposeErrors {
  if (error instanceof FileUploadError)
    return passing(error) ? {} : { attachments: `${error.filename}: ${fileErrorText(error.cause)}` }
  if (!(error instanceof ApiError)) return {}
  if (error.type === 'PAYLOAD_TOO_LARGE') return { body: TOO_LONG }
  if (error.type !== 'VALIDATION') return {}
  return Object.fromEntries(
    Object.entries(error.data)
      .filter((pair): pair is [string, string] => typeof pair[1] === 'string')
      .map(([field, message]) => [fieldOf(field), message]),
  )
}

const fieldOf = (field: string): string =>
  field.replace(/^uploads\b.*/, 'attachments').replace(/^(?:html|text)$/, 'body')

const fileErrorText = (cause: unknown): string =>
  typeOf(cause) === 'PAYLOAD_TOO_LARGE' ? 'This file is too large' : messageOf(cause)

const TOO_LONG = 'This message is too long. Please shorten it, or attach the text as a file'

export const cannotSend =
  'This mailbox is not active, so it cannot send. You can save a draft and send it later.'

const TEXT_IS_KEPT = 'What you wrote is still here'

const refusals: Record<string, string> = {
  MAILBOX_NOT_ACTIVE: cannotSend,
  DOMAIN_NOT_ACTIVE:
    'The domain of this mailbox is not active yet. Publish its DNS records first; until then nothing can be sent. You can save a draft.',
  NOT_EXISTS: `The mailbox no longer exists. ${TEXT_IS_KEPT}.`,
  FORBIDDEN: `You can no longer write from this mailbox. ${TEXT_IS_KEPT}; an Admin can give you the mailbox again.`,
  STORAGE_FULL: `The storage of this workspace is full. ${TEXT_IS_KEPT}; delete what you do not need, or ask an Admin.`,
}

/** Why the whole message was not saved or sent. */
export function errorText(error: unknown): string {
  const cause = causeOf(error)
  const known = limitText(cause) ?? refusals[typeOf(cause)]
  if (known !== undefined) return known
  switch (passing(cause)?.why) {
    case 'offline':
      return `The server did not answer. ${TEXT_IS_KEPT}; please try again.`
    case 'busy':
      return `Something went wrong on the server${reference(cause)}. ${TEXT_IS_KEPT}; please try again.`
    case 'limited':
      return `Too many requests. ${TEXT_IS_KEPT}; please try again ${waitText(cause)}.`
    default:
      return `${messageOf(cause).replace(/\.$/, '')}. ${TEXT_IS_KEPT}.`
  }
}

const KEPT_AS_DRAFT = 'What you wrote is still here, and you can save it as a draft.'

/**
 * Why the sending limits refused a message; nothing is lost by it.
 * Returns null for any other error.
 */
export function limitText(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  if (error.type === 'MAILBOX_SENDING_STOPPED') return `${error.message} ${KEPT_AS_DRAFT}`
  if (error.type !== 'SENDING_LIMIT') return null
  // The server writes UTC; here the time is formatted in the reader's time zone.
  const limit = sendingLimit.safeParse(error.data)
  const text = limit.success ? limitSentence(limit.data, formatMoment) : error.message
  return `${text} ${KEPT_AS_DRAFT}`
}

/** The request id, by which operators find the error in their log. */
const reference = (error: unknown): string => {
  const id = error instanceof ApiError ? error.data.requestId : undefined
  return typeof id === 'string' ? ` (reference ${id})` : ''
}

const MAX_SHOWN_SECONDS = 90

function waitText(error: unknown): string {
  const seconds = error instanceof ApiError ? Math.ceil(error.retryAfterSeconds) : 0
  if (seconds === 0) return 'in a moment'
  if (seconds > MAX_SHOWN_SECONDS) return `in ${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? 'in a second' : `in ${seconds} seconds`
}

const causes = {
  offline: () => 'No connection.',
  busy: () => 'The server has a problem.',
  limited: (error: unknown) => `Too many requests: we try again ${waitText(error)}.`,
}

/** Why saving is retried, and where the text is meanwhile. */
export function saveRetryText(error: unknown, isKept: boolean): string {
  const why = passing(error)?.why ?? 'offline'
  const until = why === 'offline' ? 'when the connection is back' : 'as soon as possible'
  return isKept
    ? `${causes[why](causeOf(error))} What you write is kept in this browser, and saved ${until}.`
    : `${causes[why](causeOf(error))} Please leave this window open: what you write is not saved anywhere else.`
}

export function sendRetryText(error: unknown): string {
  const why = passing(error)?.why ?? 'offline'
  const until = why === 'offline' ? 'as soon as the connection is back' : 'as soon as possible'
  return `${causes[why](causeOf(error))} It is sent ${until}, and only once; please leave this window open.`
}

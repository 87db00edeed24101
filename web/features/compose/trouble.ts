/**
 * What can go wrong with saving and sending: what passes by itself, what belongs to a field, and what is said of the rest
 * (decision 031).
 */

import { limitSentence, sendingLimit } from '#contract/mail/sending.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { type Passing, passing as passingCall } from '#web/lib/api/passing.ts'
import { formatMoment } from '#web/lib/format.ts'

/** By field; `to.0` is the first recipient. */
export type ComposeErrors = Record<string, string>

/** A file that could not be uploaded; its cause says why. */
export class FileTrouble extends Error {
  readonly filename: string

  constructor(filename: string, cause: unknown) {
    super('a file was not uploaded', { cause })
    this.filename = filename
  }
}

const causeOf = (error: unknown): unknown => (error instanceof FileTrouble ? error.cause : error)

const typeOf = (error: unknown): string => (error instanceof ApiError ? error.type : '')

/** null for what stays so until something changes. */
export const passing = (error: unknown): Passing | null => passingCall(causeOf(error))

/** Nobody looks at a window for longer that says it is sending. */
const LONGEST_WAIT_SECONDS = 120

/** As `passing`, of a message that is being sent: what broke once in the server is not tried again without being asked. */
export function passingWhileSending(error: unknown): Passing | null {
  const trouble = passing(error)
  if (trouble === null || trouble.afterSeconds > LONGEST_WAIT_SECONDS) return null
  return trouble.why === 'busy' && typeOf(causeOf(error)) !== 'UNAVAILABLE' ? null : trouble
}

/** It may have been sent for all that is known here: its key is asked for before another one is used. */
export const isUncertain = (error: unknown): boolean =>
  error instanceof ApiError && (error.statusCode >= 500 || error.type === 'REFRESH')

/** Messages that belong to a field of the form; empty when the refusal is about the whole. */
export function fieldErrorsOf(error: unknown): ComposeErrors {
  if (error instanceof FileTrouble)
    return passing(error) ? {} : { attachments: `${error.filename}: ${fileWords(error.cause)}` }
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

const fileWords = (cause: unknown): string =>
  typeOf(cause) === 'PAYLOAD_TOO_LARGE' ? 'This file is too large' : messageOf(cause)

const TOO_LONG = 'This is longer than a message may be. Please shorten it, or attach it as a file'

export const cannotSend =
  'This mailbox is not active, so it cannot send. You can save a draft and send it later.'

const HERE = 'What you wrote is still here'

const refusals: Record<string, string> = {
  MAILBOX_NOT_ACTIVE: cannotSend,
  DOMAIN_NOT_ACTIVE:
    'The domain of this mailbox is not active yet. Publish its DNS records first; until then nothing can be sent. You can save a draft.',
  NOT_EXISTS: `The mailbox is gone. ${HERE}.`,
  FORBIDDEN: `You can no longer write from this mailbox. ${HERE}; an Admin can give you the mailbox again.`,
  STORAGE_FULL: `The storage of this workspace is full. ${HERE}; delete what you do not need, or ask an Admin.`,
}

/** Of the whole message: why it was not saved or sent. */
export function refusalOf(error: unknown): string {
  const cause = causeOf(error)
  const known = brakeRefusal(cause) ?? refusals[typeOf(cause)]
  if (known !== undefined) return known
  switch (passing(cause)?.why) {
    case 'offline':
      return `The server did not answer. ${HERE}; please try again.`
    case 'busy':
      return `Something went wrong on the server${reference(cause)}. ${HERE}; please try again.`
    case 'limited':
      return `Too many requests. ${HERE}; please try again ${waitWords(cause)}.`
    default:
      return `${messageOf(cause).replace(/\.$/, '')}. ${HERE}.`
  }
}

const KEPT = 'What you wrote is still here, and you can save it as a draft.'

/**
 * Why a brake on sending refused a message; nothing is lost by it.
 * null for any other refusal.
 */
export function brakeRefusal(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  if (error.type === 'MAILBOX_SENDING_STOPPED') return `${error.message} ${KEPT}`
  if (error.type !== 'SENDING_LIMIT') return null
  // The server says it in UTC; people read the time of their own clock.
  const limit = sendingLimit.safeParse(error.data)
  const text = limit.success ? limitSentence(limit.data, formatMoment) : error.message
  return `${text} ${KEPT}`
}

/** What operators find it by in their log. */
const reference = (error: unknown): string => {
  const id = error instanceof ApiError ? error.data.requestId : undefined
  return typeof id === 'string' ? ` (reference ${id})` : ''
}

const SECONDS_AS_THEY_ARE = 90

function waitWords(error: unknown): string {
  const seconds = error instanceof ApiError ? Math.ceil(error.retryAfterSeconds) : 0
  if (seconds === 0) return 'in a moment'
  if (seconds > SECONDS_AS_THEY_ARE) return `in ${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? 'in a second' : `in ${seconds} seconds`
}

const causes = {
  offline: () => 'No connection.',
  busy: () => 'The server has a problem.',
  limited: (error: unknown) => `Too many requests: we try again ${waitWords(error)}.`,
}

/** Why a save is tried again, and what becomes of the words meanwhile. */
export function waitingWords(error: unknown, isKept: boolean): string {
  const why = passing(error)?.why ?? 'offline'
  const until = why === 'offline' ? 'when the connection is back' : 'as soon as possible'
  return isKept
    ? `${causes[why](causeOf(error))} What you write is kept in this browser, and saved ${until}.`
    : `${causes[why](causeOf(error))} Please leave this window open: what you write is only here.`
}

export function sendingLaterWords(error: unknown): string {
  const why = passing(error)?.why ?? 'offline'
  const until = why === 'offline' ? 'as soon as the connection is back' : 'as soon as possible'
  return `${causes[why](causeOf(error))} It is sent ${until}, and only once; please leave this window open.`
}

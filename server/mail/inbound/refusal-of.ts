/** What a client is told of an error, and what the log is. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { BlobStoreAway } from '#server/lib/files/blob-trouble.ts'
import { isDiskFull } from '#server/lib/files/disk-full.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import { SmtpRefusal, tryLater } from './smtp-refusal.ts'

export const refusalOf = (app: App, error: unknown): SmtpRefusal => {
  if (error instanceof SmtpRefusal) return error
  if (error instanceof AppError && error.type === 'STORAGE_FULL')
    return new SmtpRefusal('452 4.2.2', 'The storage of this mailbox is full')
  if (isClientGone(error)) app.log.debug({ err: error }, 'the client left in the middle of a mail')
  else if (isDatabaseAway(error)) app.log.warn({ err: error }, 'mail was put off: no database')
  // The store of blobs says itself that it is away, once.
  else if (!(error instanceof BlobStoreAway)) app.log.error({ err: error }, 'mail was put off')
  if (isDiskFull(error)) return new SmtpRefusal('452 4.3.1', 'The disk of this server is full')
  return tryLater()
}

const isClientGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ECONNECTION' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')

/**
 * A request that names an Idempotency-Key is done once in 24 hours, and its repetition is answered as it was (decision 121,
 * draft-ietf-httpapi-idempotency-key-header).
 */
import { createHash } from 'node:crypto'
import { AppError, isRefusal } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { DAY_SECONDS, HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { equalBytes } from '#server/lib/secrets.ts'
import {
  deleteIdempotency,
  type IdempotencyPlace,
  type IdempotencyRow,
  insertIdempotency,
  purgeIdempotency,
  readIdempotency,
  updateIdempotency,
} from './idempotency-store.ts'

/** In a day. A person has a tenth: a holder alone must not use up what the programs of the workspace need. */
const MOST_KEYS = { ofWorkspace: 5_000, ofProgram: 5_000, ofPerson: 500 }
/** A longer answer is not kept. */
const MOST_CHARACTERS = 64 * 1024

const NOT_KEPT =
  'This request was done already. Its answer was too long to keep; please read what it made'

export type Asking = IdempotencyPlace & { isProgram: boolean }

export type Answered = { status: number; body: string; isRepeated: boolean }

/**
 * `asked`: everything that makes two requests the same. A refusal (`isRefusal`) is not kept, because it changed nothing: the same key may try
 * again. After a fault, or a process that was killed, nobody knows what was done, and the key answers IDEMPOTENCY_RUNNING for its day.
 * @throws IDEMPOTENCY_REUSED for another request, IDEMPOTENCY_RUNNING, TOO_MANY_REQUESTS, and what `act` throws
 */
export const answerOnce = async (
  app: App,
  place: Asking,
  asked: readonly (string | Uint8Array)[],
  act: () => Promise<Omit<Answered, 'isRepeated'>>,
): Promise<Answered> => {
  const fingerprint = fingerprintOf(asked)
  const earlier = await begin(app, place, fingerprint)
  if (earlier !== null) return { ...repeat(app, place, earlier, fingerprint), isRepeated: true }
  try {
    const { status, body } = await act()
    const answerSealed =
      body.length <= MOST_CHARACTERS ? app.secrets.encrypt(body, contextOf(place)) : null
    await updateIdempotency(app.db, place, { status, answerSealed })
    return { status, body, isRepeated: false }
  } catch (error) {
    if (isRefusal(error)) await deleteIdempotency(app.db, place)
    throw error
  }
}

/** null: it is ours to do. */
const begin = async (
  app: App,
  place: Asking,
  fingerprint: Buffer,
): Promise<IdempotencyRow | null> => {
  const createdAt = app.clock.now()
  const { ofWorkspace, ofProgram, ofPerson } = MOST_KEYS
  const most = { ofWorkspace, ofCaller: place.isProgram ? ofProgram : ofPerson }
  await deleteIdempotency(app.db, place, secondsAfter(createdAt, -DAY_SECONDS))
  if (await insertIdempotency(app.db, place, { fingerprint, createdAt }, most)) return null
  const earlier = await readIdempotency(app.db, place)
  if (!earlier) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: HOUR_SECONDS })
  return earlier
}

const repeat = (
  app: App,
  place: IdempotencyPlace,
  { fingerprint, status, answerSealed }: IdempotencyRow,
  asked: Buffer,
): Omit<Answered, 'isRepeated'> => {
  if (!equalBytes(fingerprint, asked)) throw new AppError('IDEMPOTENCY_REUSED')
  if (status === null) throw new AppError('IDEMPOTENCY_RUNNING')
  if (answerSealed === null) throw new AppError('IDEMPOTENCY_RUNNING', { message: NOT_KEPT })
  return { status, body: app.secrets.decrypt(answerSealed, contextOf(place)) }
}

const contextOf = ({ workspaceId, callerId, key }: IdempotencyPlace): string =>
  JSON.stringify(['idempotency', workspaceId, callerId, key])

/** With the length of each part before it: no two lists are the same bytes. */
const fingerprintOf = (parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest()
}

export const purgeAnswers = (app: App): Promise<void> =>
  purgeIdempotency(app.db, secondsAfter(app.clock.now(), -DAY_SECONDS))

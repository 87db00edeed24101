/** Passwords at rest: argon2id, written as PHC strings, computed a few at a time. */

import { type Argon2Parameters, argon2, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { AppError, invalidField } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import {
  forgetThrottle,
  networkOf,
  networkTries,
  refundThrottles,
  tryThrottles,
} from '#server/features/limits/throttle.ts'
import { HOUR_SECONDS } from '#server/lib/clock.ts'
import { equalBytes } from '#server/lib/secrets.ts'
import { openFairTurns, TooManyWaiting } from '#server/lib/turns/turns.ts'
import type { Db } from '#server/storage/database.ts'

/** OWASP's minimum: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Threads taken of libuv's pool, which files and DNS look-ups need too. */
const MOST_THREADS = 2

/**
 * Each hash fills a processor; one processor stays free for other requests. Networks take turns; a network may queue
 * about two seconds of work, and further requests are refused.
 */
export const hashesAtOnce = (processors = availableParallelism()): number =>
  Math.max(1, Math.min(MOST_THREADS, processors - 1))

const turns = openFairTurns({ atOnce: hashesAtOnce(), waitingOfEach: 60 })

/** `ip`: the client, for fair queueing. @throws UNAVAILABLE when too many requests of its network wait. */
const inTurn = <T>(ip: string, work: () => Promise<T>): Promise<T> =>
  turns.take(networkOf(ip), work).catch((error: unknown) => {
    throw error instanceof TooManyWaiting
      ? new AppError('UNAVAILABLE', { retryAfterSeconds: 2 })
      : error
  })

type Derived = { password: string; salt: Buffer; cost: typeof COST; bytes: number }

const derive = (ip: string, { password, salt, cost, bytes }: Derived) =>
  inTurn(
    ip,
    () =>
      new Promise<Buffer>((resolve, reject) => {
        const parameters: Argon2Parameters = {
          // Normalised, so that a password is the same however the keyboard composed it.
          message: password.normalize('NFKC'),
          nonce: salt,
          tagLength: bytes,
          ...cost,
        }
        argon2('argon2id', parameters, (error, hash) => (error ? reject(error) : resolve(hash)))
      }),
  )

/** `ip`: the client; '' when there is none. @throws UNAVAILABLE */
export const hashPassword = async (password: string, ip = ''): Promise<string> => {
  const salt = randomBytes(SALT_BYTES)
  return phc(salt, await derive(ip, { password, salt, cost: COST, bytes: HASH_BYTES }))
}

const phc = (salt: Buffer, hash: Buffer): string =>
  `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(hash)}`

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/** Compared with when there is no account, so that the answer takes as long. */
const NOBODYS_HASH = phc(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES))

const phcForm = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Takes the same time whether or not there is a hash to compare with. */
export const verifyPassword = async (
  password: string,
  stored: string | null,
  ip = '',
): Promise<boolean> => {
  const parts = phcForm.exec(stored ?? NOBODYS_HASH)
  if (!parts) throw new Error('a stored password hash is not argon2id')
  const [, memory, passes, parallelism, salt = '', hash = ''] = parts
  const wanted = Buffer.from(hash, 'base64')
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  }
  const of = { password, salt: Buffer.from(salt, 'base64'), cost, bytes: wanted.length }
  const found = await derive(ip, of)
  return equalBytes(found, wanted) && stored !== null
}

const COMMON_PASSWORD =
  'This password is one of the most common ones and easily guessed. Please choose another'

let known: Set<string> | undefined

const commonPasswords = (): Set<string> => {
  known ??= new Set(
    readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ')),
  )
  return known
}

/** @throws VALIDATION on the field; compares without regard to case. */
export const refuseCommonPassword = (password: string, field = 'password'): void => {
  if (commonPasswords().has(password.normalize('NFKC').toLowerCase()))
    throw invalidField(field, COMMON_PASSWORD)
}

const PER_ACCOUNT_AND_NETWORK = { limit: 10, windowSeconds: 900 }
const PER_NETWORK = { limit: 100, windowSeconds: 900 }
/** Per account, from all networks. Known browsers of the account are exempt. */
const PER_ACCOUNT = { limit: 100, windowSeconds: HOUR_SECONDS }

export type Guess = {
  /** Seconds to wait; 0: the password may be checked. */
  retryAfterSeconds: number
  /** The password was right: the attempt does not count. */
  takeBack(): Promise<void>
}

/**
 * Limits on password guesses: per account and network, per network, and per account
 * (decision 044).
 * Counted before the password is checked, so that concurrent guesses count too.
 */
export const countGuess = async (app: App, email: string, ip: string): Promise<Guess> => {
  const { waitSeconds, keys } = await tryThrottles(app, [
    ...networkTries('login', ip, PER_NETWORK),
    { key: accountKey(email, ip), limit: PER_ACCOUNT_AND_NETWORK },
    { key: everywhereKey(email), limit: PER_ACCOUNT },
  ])
  return guess(app, waitSeconds, keys)
}

/** In an open session, which has its own limits: counts for the account and is never refused by it. */
export const countOwnGuess = async (app: App, email: string): Promise<Guess> => {
  const { keys } = await tryThrottles(app, [{ key: everywhereKey(email), limit: PER_ACCOUNT }])
  return guess(app, 0, keys)
}

/** A new password was set by mail or by an Admin: clears the counts, so that the owner can log in at once. */
export const forgetGuesses = async (db: Db, email: string, ip: string): Promise<void> => {
  await forgetThrottle(db, accountKey(email, ip))
  await forgetThrottle(db, everywhereKey(email))
}

const accountKey = (email: string, ip: string): string => `login:${email}:${networkOf(ip)}`
const everywhereKey = (email: string): string => `login-everywhere:${email}`

const guess = (app: App, retryAfterSeconds: number, keys: readonly string[]): Guess => ({
  retryAfterSeconds,
  takeBack: () => refundThrottles(app, keys),
})

/** Whether an error means that the database is unavailable, and not that a statement failed. */

// PostgreSQL, appendix A: class 08 connection; 53 out of disk, memory or connections; 57P01 to 57P05 shutting down, starting or
// ended by it; 25006 a read-only standby; 25P03 an idle transaction; 58030 a file error.
const states = /^(08...|53...|57P0[1-5]|25006|25P03|58030)$/
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EAGAIN',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const CONNECTING = 'Connection terminated due to connection timeout'
const POOL_BUSY = 'timeout exceeded when trying to connect'
/** pg has no codes for these errors. */
const sentences = new RegExp(
  `^(${POOL_BUSY}|Connection terminated|timeout expired|Client has encountered a connection error|Client was closed|Postgres connection has been discarded|Cannot use a pool after calling end|driver has already been destroyed)`,
)

/** The server accepts connections, but does not answer. */
export class DatabaseSilent extends Error {
  constructor() {
    super('it does not answer')
    this.name = 'DatabaseSilent'
  }
}

export const isDatabaseAway = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseSilent) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  const code = codeOf(error)
  // A system error counts only on a socket: ENOENT of a blob has a `path`, but not the syscall `connect`.
  if (code !== null && systemCodes.has(code))
    return 'syscall' in error && /^(connect|read|write|getaddrinfo)$/.test(String(error.syscall))
  if (code !== null && states.test(code)) return true
  return sentences.test(error.message)
}

/** The connection pool was closed: this process ends. */
export const isDatabaseClosed = (error: unknown): boolean =>
  error instanceof Error && /after calling end|already been destroyed/.test(error.message)

// Refused before anything was done: out of resources, read-only, starting, an idle transaction.
const refusedStates = /^(53...|57P03|25006|25P03)$/

/**
 * The connection failed after the statement may have been sent: the database may have done what was asked. PostgreSQL also answers
 * 57P01 when it stops while a commit waits for its replica, and that commit stands.
 */
export const isAnswerLost = (error: unknown): boolean => {
  if (!(error instanceof Error && isDatabaseAway(error))) return false
  if (error instanceof AggregateError || error instanceof DatabaseSilent) return false
  if (isTimeLimit(error) || isDatabaseClosed(error) || error.message === 'timeout expired')
    return false
  if ('syscall' in error) return error.syscall !== 'connect' && error.syscall !== 'getaddrinfo'
  return !refusedStates.test(codeOf(error) ?? '')
}

/** All connections of the pool were in use for too long. */
export const isPoolBusy = (error: unknown): boolean =>
  error instanceof Error && error.message === POOL_BUSY

/** The pool timed out, waiting for one of its connections or for a new one. */
export const isTimeLimit = (error: unknown): boolean =>
  error instanceof Error && (error.message === POOL_BUSY || error.message === CONNECTING)

/** The disk of PostgreSQL is full. */
export const isDatabaseFull = (error: unknown): boolean => codeOf(error) === '53100'

/** The SQLSTATE, or the system's error code. */
export const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

/** Is this error about reaching the database, rather than about what it was asked? */

// PostgreSQL, appendix A: class 08 connection, 57P01 to 57P03 shutting down or starting, 53100 disk full,
// 53300 too many connections.
const states = /^(08...|57P0[1-3]|53[13]00)$/
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** pg has no codes for these. */
const sentences =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|driver has already been destroyed)/

export const isDatabaseAway = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  const code = 'code' in error ? error.code : undefined
  // A system error counts only on a socket: ENOENT of a blob on disk has a `path` as well, but no `connect`.
  if (typeof code === 'string' && systemCodes.has(code))
    return 'syscall' in error && /^(connect|read|write|getaddrinfo)$/.test(String(error.syscall))
  if (typeof code === 'string' && states.test(code)) return true
  return sentences.test(error.message)
}

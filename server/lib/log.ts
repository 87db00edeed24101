/** What the operator reads. On standard error: JSON lines, or plain ones when a person is watching. */
import { type Logger, pino, stdTimeFunctions } from 'pino'

export const openLog = (level: string): Logger => {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: plainError },
  }
  return process.stderr.isTTY
    ? pino(options, { write: (line) => process.stderr.write(`${plainLine(line)}\n`) })
    : pino(options, pino.destination({ fd: 2, sync: true }))
}

/** Only what helps: errors of the database carry their whole connection, others whole requests. */
export const plainError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  const deeper = cause === undefined ? {} : { cause: plainError(cause) }
  return { type: name, message, stack, ...code, ...deeper }
}

const levels: Record<number, string> = { 30: '', 40: 'warning: ', 50: 'error: ', 60: 'fatal: ' }

/** `12:00:01 warning: the message key=value`, an error with its stack below. */
export const plainLine = (json: string): string => {
  const {
    level,
    time,
    msg = '',
    err,
    ...rest
  } = JSON.parse(json) as {
    level: number
    time: string
    msg?: string
    err?: { stack?: string }
  } & Record<string, unknown>
  const pairs = Object.entries(rest).map(([key, value]) =>
    typeof value === 'string' ? `${key}=${value}` : `${key}=${JSON.stringify(value)}`,
  )
  const words = [time.slice(11, 19), `${levels[level] ?? ''}${msg}`, ...pairs].join(' ')
  return err?.stack ? `${words}\n${err.stack}` : words
}

/** What the operator reads. On standard error: JSON lines, or plain ones when a person is watching. */
import {
  type DestinationStream,
  type Logger,
  type LoggerOptions,
  pino,
  stdTimeFunctions,
} from 'pino'
import { countRepeats, type Repeats } from './repeats.ts'

export type Log = {
  log: Logger
  /** What was counted is written. */
  flush(): void
}

/** A warning that comes again within this time is counted: trouble makes dozens in a second, each with a stack. */
const ALIKE_MS = 10_000
const WARNING = 40
const DEBUG = 20

export type LogOptions = {
  /** Errors that are said in one line elsewhere: what met them is heard by those who debug. */
  isSaid?: (error: unknown) => boolean
  to?: DestinationStream
}

export const openLog = (level: string, { isSaid, to = standardError() }: LogOptions = {}): Log => {
  const repeats = countRepeats({ intervalMs: ALIKE_MS })
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: plainError },
    hooks: { logMethod: quietly(isSaid ?? (() => false), countWarnings(repeats)) },
  }
  return { log: pino(options, to), flush: repeats.flush }
}

const standardError = (): DestinationStream =>
  process.stderr.isTTY
    ? { write: (line) => void process.stderr.write(`${plainLine(line)}\n`) }
    : pino.destination({ fd: 2, sync: true })

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

const quietly = (isSaid: (error: unknown) => boolean, loudly: LogMethod): LogMethod =>
  function (given, method, level) {
    const [about] = given as unknown[]
    const error = typeof about === 'object' && about !== null && 'err' in about ? about.err : about
    if (level > DEBUG && isSaid(error)) this.debug(...given)
    else loudly.call(this, given, method, level)
  }

/** The first of its kind as it is; those like it as one line with `times`, without stacks. Errors are told each time. */
const countWarnings = (repeats: Repeats): LogMethod =>
  function (given, method, level) {
    if (level !== WARNING) return method.apply(this, given)
    const [first, second] = given as unknown as [unknown, string | undefined]
    const { err, ...fields } = (typeof first === 'object' ? first : {}) as { err?: unknown }
    const message = typeof first === 'string' ? first : (second ?? '')
    const reason = err === undefined ? {} : { reason: reasonIn(err) }
    repeats.say(JSON.stringify([message, reason]), (times) => {
      if (times === 1) method.apply(this, given)
      else method.apply(this, [{ ...fields, ...reason, times }, message])
    })
  }

const reasonIn = (error: unknown): string => {
  if (!(error instanceof Error)) return harmlessText(String(error))
  return 'code' in error ? String(error.code) : harmlessText(error.message)
}

const MOST_CHARACTERS = 320
const MOST_ITEMS = 20
const MOST_STACK = 8_000

/** Controls, directions of writing, separators of lines, and halves of characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

export const harmlessText = (text: string, most = MOST_CHARACTERS): string => {
  const cut = text.length > most
  return `${(cut ? text.slice(0, most) : text).replace(unseen, '?')}${cut ? '…' : ''}`
}

/**
 * What strangers wrote, for the log: it cannot end a line, colour a terminal, or fill a disk.
 * Texts in it, and in lists in it.
 */
export const harmless = (value: unknown): unknown => {
  if (typeof value === 'string') return harmlessText(value)
  if (!Array.isArray(value)) return value
  const items = value.slice(0, MOST_ITEMS).map(harmless)
  return value.length > MOST_ITEMS ? [...items, `and ${value.length - MOST_ITEMS} more`] : items
}

/** Of an error: it may have lines. */
export const harmlessStack = (stack: string): string =>
  stack
    .slice(0, MOST_STACK)
    .split('\n')
    .map((line) => harmlessText(line, 1_000))
    .join('\n')

/** Only what helps: errors of the database carry their whole connection, others whole requests. */
export const plainError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return harmless(error)
  const { name, message, stack = '', cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  const deeper = cause === undefined ? {} : { cause: plainError(cause) }
  const told = { message: harmlessStack(message), stack: harmlessStack(stack) }
  return { type: name, ...told, ...code, ...deeper }
}

const levels: Record<number, string> = { 30: '', 40: 'warning: ', 50: 'error: ', 60: 'fatal: ' }

type Line = {
  level: number
  time: string
  msg?: string
  event?: string
  err?: { stack?: string }
} & Record<string, unknown>

/** `12:00:01 warning: the message key=value`, an error with its stack below. */
export const plainLine = (json: string): string => {
  const { level, time, msg, event = '', err, ...rest } = JSON.parse(json) as Line
  const pairs = Object.entries(rest).map(([key, value]) => `${key}=${plainValue(value)}`)
  const said = harmlessText(msg ?? event, 1_000)
  const words = [time.slice(11, 19), `${levels[level] ?? ''}${said}`, ...pairs].join(' ')
  return err?.stack ? `${words}\n${err.stack}` : words
}

/** In quotes where it would look like the next pair. */
const plainValue = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value)
    ? harmlessText(value, 1_000)
    : JSON.stringify(harmless(value))

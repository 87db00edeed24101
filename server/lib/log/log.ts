/** The operator's log on standard error: JSON lines, or plain lines on a terminal. */
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
  /** Writes the counts of repeated warnings. */
  flush(): void
}

/** A repeated warning within this time is counted: a fault can cause dozens a second, each with a stack. */
const ALIKE_MS = 10_000
const WARNING = 40
const DEBUG = 20

export type LogOptions = {
  /** Whether an error is already reported elsewhere: its log lines get the level debug. */
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
  function (args, method, level) {
    const [about] = args as unknown[]
    const error = typeof about === 'object' && about !== null && 'err' in about ? about.err : about
    if (level > DEBUG && isSaid(error)) this.debug(...args)
    else loudly.call(this, args, method, level)
  }

/**
 * Writes the first warning of a kind as it is, and counts the next ones in one line with `times`, without stacks. Errors are
 * never counted.
 */
const countWarnings = (repeats: Repeats): LogMethod =>
  function (args, method, level) {
    if (level !== WARNING) return method.apply(this, args)
    const [first, second] = args as unknown as [unknown, string | undefined]
    const { err, ...fields } = (typeof first === 'object' ? first : {}) as { err?: unknown }
    const message = typeof first === 'string' ? first : (second ?? '')
    const reason = err === undefined ? {} : { reason: reasonIn(err) }
    repeats.say(JSON.stringify([message, reason]), (times) => {
      if (times === 1) method.apply(this, args)
      else method.apply(this, [{ ...fields, ...reason, times }, message])
    })
  }

const reasonIn = (error: unknown): string => {
  if (!(error instanceof Error)) return harmlessText(String(error))
  return 'code' in error ? String(error.code) : harmlessText(error.message)
}

const MAX_CHARACTERS = 320
const MAX_ITEMS = 20
const MAX_STACK = 8_000

/** Control and format characters, line separators and unpaired surrogates. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

export const harmlessText = (text: string, most = MAX_CHARACTERS): string => {
  const cut = text.length > most
  return `${(cut ? text.slice(0, most) : text).replace(invisible, '?')}${cut ? '…' : ''}`
}

/**
 * Makes untrusted text safe for the log: it cannot end a line, colour a terminal, or fill a disk. For texts and lists of texts.
 */
export const harmless = (value: unknown): unknown => {
  if (typeof value === 'string') return harmlessText(value)
  if (!Array.isArray(value)) return value
  const items = value.slice(0, MAX_ITEMS).map(harmless)
  return value.length > MAX_ITEMS ? [...items, `and ${value.length - MAX_ITEMS} more`] : items
}

/** For the stack of an error, which may have several lines. */
export const harmlessStack = (stack: string): string =>
  stack
    .slice(0, MAX_STACK)
    .split('\n')
    .map((line) => harmlessText(line, 1_000))
    .join('\n')

/** The useful fields of an error: database errors contain their whole connection, others whole requests. */
export const plainError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return harmless(error)
  const { name, message, stack = '', cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  const deeper = cause === undefined ? {} : { cause: plainError(cause) }
  const texts = { message: harmlessStack(message), stack: harmlessStack(stack) }
  return { type: name, ...texts, ...code, ...deeper }
}

const levels: Record<number, string> = { 30: '', 40: 'warning: ', 50: 'error: ', 60: 'fatal: ' }

type Line = {
  level: number
  time: string
  msg?: string
  event?: string
  err?: { stack?: string }
} & Record<string, unknown>

/** `12:00:01 warning: the message key=value`; the stack of an error follows below. */
export const plainLine = (json: string): string => {
  const { level, time, msg, event = '', err, ...rest } = JSON.parse(json) as Line
  const pairs = Object.entries(rest).map(([key, value]) => `${key}=${plainValue(value)}`)
  const text = harmlessText(msg ?? event, 1_000)
  const words = [time.slice(11, 19), `${levels[level] ?? ''}${text}`, ...pairs].join(' ')
  return err?.stack ? `${words}\n${err.stack}` : words
}

/** Quoted when it could look like the next pair. */
const plainValue = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value)
    ? harmlessText(value, 1_000)
    : JSON.stringify(harmless(value))

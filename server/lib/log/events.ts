/** Log events: one line each, typed by a table of names and fields; events that one client can repeat are counted. */
import type { Logger } from 'pino'
import { harmless } from './log.ts'
import { countRepeats, type RepeatOptions } from './repeats.ts'

export type EventTable = Record<string, object>

export type LogEvent<T extends EventTable> = <E extends keyof T & string>(
  event: E,
  fields: T[E],
) => void

/**
 * The fields that make two events equal: equal events share one line a minute, with `times`. An event without an entry always
 * gets its own line.
 */
export type CountedBy<T extends EventTable> = {
  [E in keyof T]?: readonly (keyof T[E] & string)[]
}

export type EventLog<T extends EventTable> = { logEvent: LogEvent<T>; flush(): void }

export const openEvents = <T extends EventTable>(
  log: Pick<Logger, 'info'>,
  countedBy: CountedBy<T>,
  options?: RepeatOptions,
): EventLog<T> => {
  const repeats = countRepeats(options)
  const logEvent: LogEvent<T> = (event, fields) => {
    const tidy = Object.entries(fields).map(([name, value]) => [name, harmless(value)])
    const line = { event, ...Object.fromEntries(tidy) }
    const alike = countedBy[event]
    if (!alike) return log.info(line)
    const key = JSON.stringify([event, ...alike.map((name) => line[name])])
    repeats.say(key, (times) => log.info(times === 1 ? line : { ...line, times }))
  }
  return { logEvent, flush: repeats.flush }
}

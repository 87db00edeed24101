/** Options among the words of a command: `--until 2026-12-24`. */
import { DAY_MS } from '#server/lib/clock.ts'
import { WrongWords } from './verb.ts'

type Options<Name extends string, Flag extends string> = {
  words: string[]
  options: Partial<Record<Name, string>>
  flags: ReadonlySet<Flag>
}

/**
 * `names`: options with a value; `flags`: without one. `mostWords`: how many words there may be beside them.
 * @throws WrongWords for more words, and for an option that is unknown or has no value
 */
export const readOptions = <Name extends string, Flag extends string = never>(
  typed: readonly string[],
  names: readonly Name[],
  {
    flags = [],
    mostWords = Number.POSITIVE_INFINITY,
  }: { flags?: readonly Flag[]; mostWords?: number } = {},
): Options<Name, Flag> => {
  const words: string[] = []
  const options: Partial<Record<Name, string>> = {}
  const given = new Set<Flag>()
  for (let at = 0; at < typed.length; at++) {
    const word = typed[at] ?? ''
    const flag = flags.find((each) => word === `--${each}`)
    if (flag !== undefined) given.add(flag)
    else if (!word.startsWith('--')) words.push(word)
    else {
      const name = names.find((each) => word === `--${each}`)
      const value = typed[++at]
      if (name === undefined || value === undefined)
        throw new WrongWords(
          `${word} is ${name === undefined ? 'no option here' : 'followed by nothing'}. Options are ${[...names, ...flags].map((each) => `--${each}`).join(' and ')}.`,
        )
      options[name] = value
    }
  }
  if (words.length > mostWords)
    throw new WrongWords(
      `${words.slice(mostWords).join(' ')} is too much here. A name with spaces stands in quotes.`,
    )
  return { words, options, flags: given }
}

/** The end of a day, or a moment, in UTC: '2026-12-24' or '2026-12-24 18:00'. @throws WrongWords */
export const readEnd = (text: string): Date => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)Z?)?$/.exec(text.trim()) ?? []
  const at = Date.parse(`${day}T${time ?? '00:00'}:00Z`)
  if (Number.isNaN(at))
    throw new WrongWords(
      'A day is written like 2026-12-24, a moment like "2026-12-24 18:00" (UTC).',
    )
  return new Date(time === undefined ? at + DAY_MS : at)
}

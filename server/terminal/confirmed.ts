import type { TerminalApp } from './verb.ts'
import { WrongWords } from './verb.ts'

type Question = {
  /** Names what happens. */
  lines: readonly string[]
  /** To be typed. */
  name: string
  /** What followed `--yes`. */
  yes: string | undefined
}

/** @returns the name as it was typed. @throws WrongWords, which says what would have happened; then nothing is to be changed */
export const confirmed = async (
  { ask }: Pick<TerminalApp, 'ask'>,
  { lines, name, yes }: Question,
): Promise<string> => {
  const said = lines.join('\n')
  if (yes !== undefined) {
    if (yes.trim() === name.trim()) return yes
    throw new WrongWords(`${said}\n--yes does not name it: ${name}. Nothing was changed.`)
  }
  if (ask === null)
    throw new WrongWords(`${said}\nNothing was changed. To do it, add --yes '${name}'.`)
  const typed = await ask(`${said}\nType ${name} to go on: `)
  if (typed.trim() === name.trim()) return typed
  throw new WrongWords('That is not its name. Nothing was changed.')
}

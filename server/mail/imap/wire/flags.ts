/** Flags of messages (RFC 9051 §2.3.2). */
import type { MessageFlags } from '#server/features/messages/by-uid/message-flags.ts'
import { BadSyntax, type Cursor } from './cursor.ts'

const system = {
  '\\Seen': 'isRead',
  '\\Flagged': 'isStarred',
  '\\Answered': 'isAnswered',
  '\\Draft': 'isDraft',
  '\\Deleted': 'isDeleted',
} as const

export const systemFlags = Object.keys(system)

type SystemFlag = (typeof system)[keyof typeof system]
const byLowerCase = new Map<string, SystemFlag>(
  Object.entries(system).map(([name, flag]) => [name.toLowerCase(), flag]),
)

export const noFlags: MessageFlags = {
  ...{ isRead: false, isStarred: false, isAnswered: false, isDraft: false, isDeleted: false },
  keywords: [],
}

/** `(\Seen $Forwarded)`, or without parentheses (STORE). \Recent and unknown system flags are left out: nobody can set them. */
export const readFlags = (cursor: Cursor): MessageFlags => {
  const names = cursor.peek() === '(' ? cursor.list(() => readFlag(cursor)) : readBare(cursor)
  const flags = { ...noFlags, keywords: [] as string[] }
  for (const name of names) {
    const flag = byLowerCase.get(name.toLowerCase())
    if (flag !== undefined) flags[flag] = true
    else if (!name.startsWith('\\')) flags.keywords.push(name)
  }
  return flags
}

const readBare = (cursor: Cursor): string[] => {
  const names: string[] = []
  do {
    names.push(readFlag(cursor))
    if (names.length > 1_000) throw new BadSyntax('There are too many flags')
  } while (cursor.take(' '))
  return names
}

const readFlag = (cursor: Cursor): string =>
  cursor.take('\\') ? `\\${cursor.atom('A flag')}` : cursor.atom('A flag')

const namesOfSystem = Object.entries(system)

export const flagsText = (flags: MessageFlags): string => {
  const names: string[] = []
  for (const [name, flag] of namesOfSystem) if (flags[flag]) names.push(name)
  names.push(...flags.keywords)
  return `(${names.join(' ')})`
}

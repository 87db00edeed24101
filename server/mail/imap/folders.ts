/** The folders of a mailbox, as a mail program finds them. */
import { readFolderStates } from '#server/features/messages/by-uid/folder-states.ts'
import { type NamedFolder, withPath } from './named-folder.ts'
import { Refusal } from './refusal.ts'
import type { Reader } from './session.ts'

/** The Inbox first, then by name. */
export const foldersOf = async ({ app, who, mailboxId }: Reader): Promise<NamedFolder[]> => {
  const named = (await readFolderStates(app, who, mailboxId)).map(withPath)
  return named.toSorted((a, b) => Number(b.role === 'inbox') - Number(a.role === 'inbox'))
}

/** @throws Refusal with this code */
export const findFolder = async (
  reader: Reader,
  path: string,
  code: 'NONEXISTENT' | 'TRYCREATE' = 'NONEXISTENT',
): Promise<NamedFolder> => {
  const found = (await foldersOf(reader)).find((folder) => folder.path === path)
  if (found === undefined) throw new Refusal(code, 'There is no such mailbox')
  return found
}

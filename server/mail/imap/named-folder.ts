/** A folder under the name that mail programs know it by. */
import type { FolderRole } from '#contract/messages.ts'
import type { FolderState } from '#server/features/messages/by-uid/folder-states.ts'
import type { FolderName } from '#server/features/messages/by-uid/open-folder.ts'

export const INBOX = 'INBOX'
export const DELIMITER = '/'

/** RFC 6154. */
export const specialUses: Partial<Record<FolderRole, string>> = {
  ...{ drafts: '\\Drafts', sent: '\\Sent', junk: '\\Junk', trash: '\\Trash' },
  archive: '\\Archive',
}

export type NamedFolder = FolderState & { path: string }

export const withPath = (state: FolderState): NamedFolder => ({
  ...state,
  path: state.role === 'inbox' ? INBOX : state.name,
})

export const folderNamed = (path: string): FolderName =>
  path === INBOX ? { role: 'inbox' } : { name: path }

export const isSubscribed = ({ isSubscribed: is, role }: NamedFolder): boolean =>
  is || role === 'inbox'

export const isInside = (inner: NamedFolder, outer: NamedFolder): boolean =>
  inner.path.startsWith(`${outer.path}${DELIMITER}`)

/** What toolbars and keys do to whatever is meant: the open message, the row with the focus, or what is selected. */
import type { Folder } from '#contract/messages.ts'
import { folderKey } from '../folders/folder-nav.tsx'
import type { Target } from './target.ts'
import type { MailActions } from './use-mail-actions.ts'

/** What is about to be deleted for good. */
export type Doomed = { count: number; subject: string | null; confirm: () => void }

export type MailVerbs = {
  archive: () => void
  remove: () => void
  toggleJunk: () => void
  markRead: () => void
  markUnread: () => void
  toggleStar: () => void
  moveTo: (folder: Folder) => void
}

type Given = {
  /** null: nothing is meant. */
  target: () => Target | null
  actions: MailActions
  /** Before what is meant leaves the list. */
  leave: (target: Target) => void
  doom: (doomed: Doomed) => void
  subject?: () => string | null
}

export function mailVerbs(given: Given): MailVerbs {
  const { actions, leave, doom } = given
  const on = (act: (target: Target) => void) => () => {
    const target = given.target()
    if (target) act(target)
  }
  const move = (target: Target, folder: string, said: string) => {
    leave(target)
    void actions.change(target, { folder }, said)
  }
  const remove = (target: Target, said: string) => {
    leave(target)
    void actions.change(target, { delete: true }, said)
  }
  return {
    archive: on((target) => target.folder !== 'archive' && move(target, 'archive', 'Archived')),
    remove: on((target) => {
      const isFinal = target.folder === 'trash' || target.folder === 'drafts'
      if (!isFinal) return remove(target, 'Moved to Trash')
      const confirm = () => remove(target, 'Deleted for good')
      doom({ count: target.count, subject: given.subject?.() ?? null, confirm })
    }),
    toggleJunk: on((target) => {
      if (target.folder === 'sent' || target.folder === 'drafts') return
      if (target.folder === 'junk') move(target, 'inbox', 'Not junk: moved to Inbox')
      else move(target, 'junk', 'Moved to Junk')
    }),
    markRead: on((target) => {
      const said = target.count === 1 ? null : 'Marked as read'
      void actions.change(target, { isRead: true }, said)
    }),
    markUnread: on((target) => {
      const said = target.count === 1 ? null : 'Marked as unread'
      void actions.change(target, { isRead: false }, said)
    }),
    toggleStar: on((target) => {
      const isStarred = !target.isStarred
      const said = isStarred ? 'Starred' : 'Star removed'
      void actions.change(target, { isStarred }, target.count === 1 ? null : said)
    }),
    moveTo: (folder) =>
      on((target) => move(target, folderKey(folder), `Moved to ${folder.name}`))(),
  }
}

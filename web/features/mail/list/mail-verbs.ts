/** What toolbars and keys do to their target: the open message, the row with the focus or the selection. */
import type { Folder } from '#contract/messages.ts'
import { folderKey } from '../folders/folder-nav.tsx'
import type { Target } from './target.ts'
import type { MailActions } from './use-mail-actions.ts'

/** A permanent deletion that waits for a confirmation. */
export type PendingDeletion = {
  count: number
  subject: string | null
  /** Name of the folder that is emptied. */
  emptied?: string
  confirm: () => void
}

export type MailVerbs = {
  archive: () => void
  remove: () => void
  toggleJunk: () => void
  markRead: () => void
  markUnread: () => void
  toggleStar: () => void
  moveTo: (folder: Folder) => void
  /** Asks for the folder first. */
  move: () => void
}

export type AskWhere = (moveTo: (folder: Folder) => void, target: Target) => void

export type MailVerbOptions = {
  askWhere: AskWhere
  /** Returns null when there is no target. */
  target: () => Target | null
  actions: MailActions
  /** Called before the target leaves the list. */
  leave: (target: Target) => void
  askToDelete: (deletion: PendingDeletion) => void
  subject?: () => string | null
}

export function mailVerbs(options: MailVerbOptions): MailVerbs {
  const { actions, leave, askToDelete } = options
  const on = (act: (target: Target) => void) => () => {
    const target = options.target()
    if (target) act(target)
  }
  const move = (target: Target, folder: string, toastTitle: string) => {
    leave(target)
    void actions.change(target, { folder }, toastTitle)
  }
  const remove = (target: Target, toastTitle: string) => {
    leave(target)
    void actions.change(target, { delete: true }, toastTitle)
  }
  const moveInto = (target: Target) => (folder: Folder) =>
    move(target, folderKey(folder), `Moved to ${folder.name}`)
  return {
    archive: on((target) => target.folder !== 'archive' && move(target, 'archive', 'Archived')),
    remove: on((target) => {
      const isFinal = target.folder === 'trash' || target.folder === 'drafts'
      if (!isFinal) return remove(target, 'Moved to Trash')
      const confirm = () => remove(target, 'Deleted for good')
      askToDelete({ count: target.count, subject: options.subject?.() ?? null, confirm })
    }),
    toggleJunk: on((target) => {
      if (target.folder === 'sent' || target.folder === 'drafts') return
      if (target.folder === 'junk') move(target, 'inbox', 'Not junk: moved to Inbox')
      else move(target, 'junk', 'Moved to Junk')
    }),
    markRead: on((target) => {
      const toastTitle = target.count === 1 ? null : 'Marked as read'
      void actions.change(target, { isRead: true }, toastTitle)
    }),
    markUnread: on((target) => {
      const toastTitle = target.count === 1 ? null : 'Marked as unread'
      void actions.change(target, { isRead: false }, toastTitle)
    }),
    toggleStar: on((target) => {
      const isStarred = !target.isStarred
      const toastTitle = isStarred ? 'Starred' : 'Star removed'
      void actions.change(target, { isStarred }, target.count === 1 ? null : toastTitle)
    }),
    moveTo: (folder) => on((target) => moveInto(target)(folder))(),
    // The row that has the focus now has none while a dialog is open.
    move: on((target) => options.askWhere(moveInto(target), target)),
  }
}

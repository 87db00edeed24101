/** The state of the mail page: what is listed, what is open and which actions there are. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Folder } from '#contract/messages.ts'
import { focusHeadingIfLost } from '#web/ui/overlay/return-focus.ts'
import { folderKey } from './folders/folder-nav.tsx'
import { useFolders } from './folders/use-folders.ts'
import { type Place, usePlace } from './folders/use-place.ts'
import type { MailList, MailRow } from './list/mail-row.ts'
import { type AskWhere, mailVerbs, type PendingDeletion } from './list/mail-verbs.ts'
import type { ShowRow } from './list/message-list.tsx'
import type { PendingMove } from './list/move-dialog.tsx'
import { type Target, targetOfAll, targetOfRows, targetOfSelection } from './list/target.ts'
import { useDragging } from './list/use-dragging.ts'
import { type MailActions, useMailActions } from './list/use-mail-actions.ts'
import { useMailList } from './list/use-mail-list.ts'
import { useSelection } from './list/use-selection.ts'
import { useOpenMessage } from './reader/use-open-message.ts'
import { useComposing } from './use-composing.ts'
import { focusedRow, useMailKeys } from './use-mail-keys.ts'
import { useReaderActions } from './use-reader-actions.ts'

export function useMail(mailbox: Mailbox) {
  const { place, isAutoOpened, go, addressOf } = usePlace()
  const folder = place.folder || 'inbox'
  // A draft opens in the editor, not in the reader.
  const isDrafts = folder === 'drafts' && place.q === ''
  const openId = isDrafts ? '' : place.message
  const folders = useFolders(mailbox._id)
  const list = useMailList(mailbox._id, folder, place.q, place.only !== '')
  const selection = useSelection(`${mailbox._id} ${folder} ${place.q} ${place.only}`, list)
  const actions = useMailActions(mailbox._id)
  const opening = { mailboxId: mailbox._id, messageId: openId, isAutoOpened }
  const open = useOpenMessage(opening, list, actions)
  const composing = useComposing(mailbox, isDrafts ? place.message : '', go)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const [deletion, setDeletion] = useState<PendingDeletion | null>(null)
  const [pendingMove, setPendingMove] = useState<PendingMove | null>(null)
  const askWhere: AskWhere = (moveTo, target) =>
    setPendingMove({ from: commonFolder(target, place), moveTo })
  const searchInput = useRef<HTMLInputElement>(null)
  const showRow = useRef<ShowRow>(() => {})
  useKeptFocus(list, openId, showRow)
  const common = { folder, list, actions, go }
  const reader = useReaderActions({
    ...{ ...common, mailboxId: mailbox._id, open, openId, composing, askToDelete: setDeletion },
    askWhere,
    onHelp: () => setIsHelpOpen(true),
  })
  const where = { q: place.q, folder, isOnly: place.only !== '' }
  const focused = () => {
    const row = list.at(list.indexOf(focusedRow() ?? ''))
    return row ? targetOfRows([row], folder) : null
  }
  const selected = {
    target: () => (selection.count > 0 ? targetOfSelection(where, selection, list) : focused()),
    ...{ actions, askToDelete: setDeletion, askWhere },
    leave: (target: Target) => {
      selection.clear()
      reader.leave(target)
    },
  }
  const verbs = mailVerbs(selected)
  const dragging = useDragging(folder, selection, selected)
  const keys = { list, openId, open, go, reader, verbs, selection, showRow, searchInput, composing }
  const { move } = useMailKeys({ ...keys, undo: actions.undo })
  const search = useCallback(
    (q: string) => go({ q, message: '' }, { replace: place.q !== '' }),
    [go, place.q],
  )
  const star = useCallback(
    (row: MailRow) => {
      // Starring marks the latest message; removing the star removes it from the whole conversation.
      const one = { ...row, found: [row._id], folder }
      const target = targetOfRows([row.isStarred ? row : one], folder)
      if (target) void actions.change(target, { isStarred: !row.isStarred }, null)
    },
    [actions, folder],
  )
  const current = folders?.find((known) => folderKey(known) === folder)
  const empty = () => list.at(0) && current && setDeletion(emptying(current, list, actions))
  return {
    ...{ place, go, addressOf, folder, folders, openId, list, selection, verbs, open },
    ...{ current, empty, composing, reader, move, search, star, searchInput, showRow },
    ...{ isHelpOpen, setIsHelpOpen, deletion, setDeletion, pendingMove, setPendingMove },
    ...dragging,
    addressOfMessage: (id: string) => addressOf({ message: id }),
    // A draft that a search found opens in the editor.
    addressOfRow: ({ folder: at, opens }: MailRow) =>
      addressOf({ ...(at === 'drafts' && { folder: at }), message: opens }),
    setOnly: (isOnly: boolean) => go({ only: isOnly ? '1' : '' }, { replace: true }),
  }
}

/** '': several that a search found in all mail may be in several folders. */
const commonFolder = ({ count, folder }: Target, { q, only }: Place): string =>
  q !== '' && only === '' && count > 1 ? '' : folder

/** The question before a folder is emptied of what it lists now. */
const emptying = (folder: Folder, list: MailList, actions: MailActions): PendingDeletion => {
  const everything = { keys: new Set<string>(), allUntil: list.at(0)?.date ?? null }
  const target = targetOfAll(folderKey(folder), everything, folder.messages)
  const confirm = () => void actions.change(target, { delete: 'for good' }, 'Deleted for good')
  return { count: folder.messages, subject: null, emptied: folder.name, confirm }
}

/**
 * When the row with the focus leaves the list, or when the message that hid the list closes, the focus would be lost.
 * It goes to the row that is in that position now.
 */
export function useKeptFocus(list: MailList, openId: string, showRow: RefObject<ShowRow>): void {
  const at = useRef({ id: '', index: -1 })
  const latest = useRef(list)
  useEffect(() => {
    latest.current = list
  })
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const id = (target instanceof HTMLElement && target.dataset.row) || ''
      at.current = { id, index: id === '' ? -1 : latest.current.indexOf(id) }
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  const before = useRef({ openId, openIndex: -1 })
  // A layout effect, before the next message is shown: that would take a lost focus.
  useLayoutEffect(() => {
    const last = before.current
    const openIndex = openId === '' ? -1 : list.indexOf(openId)
    const isSameButGone = openIndex < 0 && openId === last.openId
    before.current = { openId, openIndex: isSameButGone ? last.openIndex : openIndex }
    if (document.activeElement !== document.body || list.isPending) return
    const isClosed = openId === '' && last.openId !== ''
    const id = at.current.id || (isClosed ? last.openId : '')
    const here = id === '' ? -1 : list.indexOf(id)
    const index = at.current.id ? at.current.index : last.openIndex
    if (id === '' || (here >= 0 && !isClosed)) return
    focusHeadingIfLost()
    const next = list.at(here >= 0 ? here : Math.max(index, 0)) ?? list.at(list.total - 1)
    if (next) showRow.current(next._id)
  })
}

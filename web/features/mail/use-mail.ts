/** The state of the mail page: what is listed, what is open, what may be done. */
import { useCallback, useRef, useState } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import { folderKey } from './folders/folder-nav.tsx'
import { useFolders } from './folders/use-folders.ts'
import { usePlace } from './folders/use-place.ts'
import type { MailRow } from './list/mail-row.ts'
import { type Doomed, mailVerbs } from './list/mail-verbs.ts'
import type { ShowRow } from './list/message-list.tsx'
import { targetOfAll, targetOfRows } from './list/target.ts'
import { useKeptFocus } from './list/use-kept-focus.ts'
import { useMailActions } from './list/use-mail-actions.ts'
import { useMailList } from './list/use-mail-list.ts'
import { useSelection } from './list/use-selection.ts'
import { useOpenMessage } from './reader/use-open-message.ts'
import { useComposing } from './use-composing.ts'
import { focusedRow, useMailKeys } from './use-mail-keys.ts'
import { useReaderActions } from './use-reader-actions.ts'

export function useMail(mailbox: Mailbox) {
  const { place, isUnasked, go, addressOf } = usePlace()
  const folder = place.folder || 'inbox'
  // A draft is opened to be written on, not to be read.
  const isDrafts = folder === 'drafts' && place.q === ''
  const openId = isDrafts ? '' : place.message
  const folders = useFolders(mailbox._id)
  const list = useMailList(mailbox._id, folder, place.q, place.only !== '')
  const selection = useSelection(`${mailbox._id} ${folder} ${place.q} ${place.only}`, list)
  const actions = useMailActions(mailbox._id)
  const opening = { mailboxId: mailbox._id, messageId: openId, isUnasked }
  const open = useOpenMessage(opening, list, actions)
  const composing = useComposing(mailbox, isDrafts ? place.message : '', go)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const [doomed, setDoomed] = useState<Doomed | null>(null)
  const searchInput = useRef<HTMLInputElement>(null)
  const showRow = useRef<ShowRow>(() => {})
  useKeptFocus(list, openId, showRow)
  const common = { folder, list, actions, go }
  const reader = useReaderActions({
    ...{ ...common, mailboxId: mailbox._id, open, openId, composing, onDoom: setDoomed },
    onHelp: () => setIsHelpOpen(true),
  })
  const selected = () => {
    if (selection.selection.allUntil !== null)
      return targetOfAll(folder, selection.selection, selection.count)
    const rows = list.loaded().map(({ row }) => row)
    return targetOfRows(
      rows.filter(({ key }) => selection.has(key)),
      folder,
    )
  }
  const focused = () => {
    const row = list.at(list.indexOf(focusedRow() ?? ''))
    return row ? targetOfRows([row], folder) : null
  }
  const verbs = mailVerbs({
    target: () => (selection.count > 0 ? selected() : focused()),
    ...{ actions, doom: setDoomed },
    leave: (target) => {
      selection.clear()
      reader.leave(target)
    },
  })
  const keys = { list, openId, open, go, reader, verbs, selection, showRow, searchInput, composing }
  const { move } = useMailKeys({ ...keys, undo: actions.undo })
  const search = useCallback(
    (q: string) => go({ q, message: '' }, { replace: place.q !== '' }),
    [go, place.q],
  )
  const star = useCallback(
    (row: MailRow) => {
      // A star is put on the latest message, and taken from all.
      const one = { ...row, key: row._id, isConversation: false, folder }
      const target = targetOfRows([row.isStarred ? row : one], folder)
      if (target) void actions.change(target, { isStarred: !row.isStarred }, null)
    },
    [actions, folder],
  )
  return {
    ...{ place, go, addressOf, folder, folders, openId, list, selection, verbs, open },
    ...{ composing, reader, move, search, star, searchInput, showRow },
    ...{ isHelpOpen, setIsHelpOpen, doomed, setDoomed },
    addressOfMessage: (id: string) => addressOf({ message: id }),
    // A draft that was found is written on.
    addressOfRow: ({ folder: at, opens }: MailRow) =>
      addressOf({ ...(at === 'drafts' && { folder: at }), message: opens }),
    setOnly: (isOnly: boolean) => go({ only: isOnly ? '1' : '' }, { replace: true }),
    current: folders?.find((known) => folderKey(known) === folder),
  }
}

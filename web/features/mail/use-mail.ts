/** The state of the mail page: what is listed, what is open, what may be done. */
import { useCallback, useRef, useState } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import { listFolders, type MessageSummary } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import type { ShowRow } from './list/message-list.tsx'
import { useKeptFocus } from './list/use-kept-focus.ts'
import { useMessages } from './list/use-messages.ts'
import { folderKey } from './place/folder-nav.tsx'
import { usePlace } from './place/use-place.ts'
import { useComposing } from './use-composing.ts'
import { useMailActions } from './use-mail-actions.ts'
import { useMailKeys } from './use-mail-keys.ts'
import { useOpenMessage } from './use-open-message.ts'
import { useReaderActions } from './use-reader-actions.ts'

export function useMail(mailbox: Mailbox) {
  const { place, go, addressOf } = usePlace()
  const folder = place.folder || 'inbox'
  // A draft is opened to be written on, not to be read.
  const isDrafts = folder === 'drafts'
  const openId = isDrafts ? '' : place.message
  const folders = useApi(listFolders, { params: { id: mailbox._id } }).data
  const list = useMessages(mailbox._id, folder, place.q)
  const actions = useMailActions(mailbox._id)
  const open = useOpenMessage(mailbox._id, openId, list.messages, actions)
  const composing = useComposing(mailbox, isDrafts ? place.message : '', go)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const [doomed, setDoomed] = useState<MessageSummary | null>(null)
  const searchInput = useRef<HTMLInputElement>(null)
  const showRow = useRef<ShowRow>(() => {})
  useKeptFocus(list.messages, openId, showRow)
  const reader = useReaderActions({
    mailboxId: mailbox._id,
    folder: open.message?.folder ?? folder,
    open,
    messages: list.messages,
    actions,
    composing,
    go,
    onDoom: setDoomed,
    onHelp: () => setIsHelpOpen(true),
  })
  const keys = { list: list.messages, openId, go, reader, showRow, searchInput, composing }
  const { move } = useMailKeys(keys)
  const search = useCallback(
    (q: string) => go({ q, message: '' }, { replace: place.q !== '' }),
    [go, place.q],
  )
  const star = useCallback(
    (message: MessageSummary) => void actions.mark(message, { isStarred: !message.isStarred }),
    [actions],
  )
  return {
    place,
    go,
    addressOf,
    addressOfMessage: (id: string) => addressOf({ message: id }),
    folder,
    folders,
    current: folders?.find((known) => folderKey(known) === folder),
    openId,
    list,
    open,
    composing,
    reader,
    move,
    search,
    star,
    searchInput,
    showRow,
    isHelpOpen,
    setIsHelpOpen,
    doomed,
    setDoomed,
  }
}

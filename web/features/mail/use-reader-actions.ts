/** What the toolbar and the keys do to the open message. When it leaves the folder, the next message opens. */
import { messageOf } from '#web/lib/api/api-error.ts'
import { toast } from '#web/lib/toast-store.ts'
import { downloadSource } from '#web/mail-content/attachment-files.ts'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import type { Go } from './folders/use-place.ts'
import type { MailList, MailRow } from './list/mail-row.ts'
import {
  type AskWhere,
  type MailVerbs,
  mailVerbs,
  type PendingDeletion,
} from './list/mail-verbs.ts'
import { type Target, targetOfMessage, targetOfRows } from './list/target.ts'
import type { MailActions } from './list/use-mail-actions.ts'
import type { ReaderActions } from './reader/reader-toolbar.tsx'
import type { OpenMessage } from './reader/use-open-message.ts'
import type { Composing } from './use-composing.ts'

/** From this width on the list is beside the open message. */
const BESIDE = '(min-width: 1280px)'

type ReaderActionOptions = {
  mailboxId: string
  /** The folder of the list. */
  folder: string
  open: OpenMessage
  openId: string
  list: MailList
  actions: MailActions
  composing: Composing
  go: Go
  askToDelete: (deletion: PendingDeletion) => void
  askWhere: AskWhere
  onHelp: () => void
}

/** Actions that the reading pane itself adds. */
type PaneActions = 'print' | 'showOriginal'

export type AllReaderActions = Omit<ReaderActions, PaneActions> &
  MailVerbs & { leave: (target: Target) => void }

const asCached = ({ _id, key, found }: MailRow) => ({ _id, threadId: key, ...(found && { found }) })

export function useReaderActions(options: ReaderActionOptions): AllReaderActions {
  const { mailboxId, folder, open, openId, list, actions, composing, go } = options
  const { summary, message } = open
  const isBeside = useMediaQuery(BESIDE)
  const threadId = open.conversation?.threadId
  const index = openId === '' ? -1 : list.indexOf(openId, threadId)
  const row = list.at(index)
  /** The conversation when the list shows it as one row, else the single message. */
  const target = (): Target | null => {
    if (!summary) return null
    const at = message?.folder ?? folder
    if (row && (row.found !== null || at === folder)) return targetOfRows([row], folder)
    return targetOfMessage(summary, at)
  }
  /** Opens the next message, which stays unread until the reader acts on it. */
  const leave = ({ isAffected }: Target) => {
    const isGoing = row && isAffected(asCached(row))
    if (openId === '' || (row && !isGoing)) return
    const remainingRow = (at: number) => {
      const other = list.at(at)
      return other && !isAffected(asCached(other)) ? other : undefined
    }
    const next =
      isBeside && index >= 0 ? (remainingRow(index + 1) ?? remainingRow(index - 1)) : undefined
    go({ message: next?.opens ?? '' }, { replace: true, state: { isAutoOpened: true } })
  }
  const verbs = mailVerbs({
    ...{ target, actions, leave, askToDelete: options.askToDelete, askWhere: options.askWhere },
    subject: () => summary?.subject ?? null,
  })
  const confirming = (act: () => unknown) => () => {
    open.confirmReading()
    act()
  }
  return {
    ...verbs,
    leave,
    markUnread: () => {
      if (!summary) return
      go({ message: '' })
      void actions.change(targetOfMessage(summary, folder), { isRead: false }, null)
    },
    toggleStar: () =>
      summary &&
      void actions.change(
        targetOfMessage(summary, folder),
        { isStarred: !summary.isStarred },
        null,
      ),
    back: () => go({ message: '' }),
    reply: confirming(() => summary && composing.reply(open.answeredId, false)),
    replyAll: confirming(() => summary && composing.reply(open.answeredId, true)),
    forward: confirming(() => summary && composing.forward(open.answeredId)),
    download: () => {
      if (!message) return
      downloadSource(mailboxId, message).catch((error: unknown) =>
        toast({
          title: 'The message could not be downloaded',
          description: messageOf(error),
          variant: 'error',
        }),
      )
    },
    replyTo: (other) => composing.reply(other._id, false),
    noteRead: (others) => void actions.mark(others, { isRead: true }),
    writeTo: composing.writeTo,
    showShortcuts: options.onHelp,
  }
}

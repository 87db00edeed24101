/** What the toolbar and the keys do to the open message. What leaves the folder makes room for the next one. */
import { messageOf } from '#web/lib/api/api-error.ts'
import { toast } from '#web/lib/toast-store.ts'
import { downloadSource } from '#web/mail-content/attachment-files.ts'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import type { Go } from './folders/use-place.ts'
import type { MailList } from './list/mail-row.ts'
import { type Doomed, type MailVerbs, mailVerbs } from './list/mail-verbs.ts'
import { type Target, targetOfMessage, targetOfRows } from './list/target.ts'
import type { MailActions } from './list/use-mail-actions.ts'
import type { ReaderActions } from './reader/reader-toolbar.tsx'
import type { OpenMessage } from './reader/use-open-message.ts'
import type { Composing } from './use-composing.ts'

/** From here on the list stands beside the message. */
const BESIDE = '(min-width: 1280px)'

type Given = {
  mailboxId: string
  /** That of the list. */
  folder: string
  open: OpenMessage
  openId: string
  list: MailList
  actions: MailActions
  composing: Composing
  go: Go
  onDoom: (doomed: Doomed) => void
  onHelp: () => void
}

/** What the pane itself does to what it shows. */
type OfThePane = 'print' | 'showOriginal'

export type AllReaderActions = Omit<ReaderActions, OfThePane> &
  MailVerbs & { leave: (target: Target) => void }

export function useReaderActions(given: Given): AllReaderActions {
  const { mailboxId, folder, open, openId, list, actions, composing, go } = given
  const { summary, message } = open
  const isBeside = useMediaQuery(BESIDE)
  const threadId = open.conversation?.threadId
  const index = openId === '' ? -1 : list.indexOf(openId, threadId)
  const row = list.at(index)
  /** The conversation where the list shows it, else the one message. */
  const target = (): Target | null => {
    if (!summary) return null
    const at = message?.folder ?? folder
    if (row?.isConversation && at === folder) return targetOfRows([row], folder)
    return targetOfMessage(summary, at)
  }
  /** The next one is shown, and stays unread until somebody turns to it. */
  const leave = ({ isTouched }: Target) => {
    const isGoing =
      row && isTouched({ _id: row._id, ...(row.isConversation && { threadId: row.key }) })
    if (openId === '' || (row && !isGoing)) return
    const stays = (at: number) => {
      const other = list.at(at)
      const id = other && { _id: other._id, ...(other.isConversation && { threadId: other.key }) }
      return id && !isTouched(id) ? other : undefined
    }
    const next = isBeside && index >= 0 ? (stays(index + 1) ?? stays(index - 1)) : undefined
    go({ message: next?.opens ?? '' }, { replace: true, state: { isUnasked: true } })
  }
  const verbs = mailVerbs({
    ...{ target, actions, leave, doom: given.onDoom },
    subject: () => summary?.subject ?? null,
  })
  const asked = (act: () => unknown) => () => {
    open.ask()
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
    reply: asked(() => message && composing.reply(message, false)),
    replyAll: asked(() => message && composing.reply(message, true)),
    forward: asked(() => message && composing.forward(message)),
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
    replyTo: (other) => composing.reply(other, false),
    noteRead: (other) => void actions.mark(other, { isRead: true }),
    writeTo: composing.writeTo,
    showShortcuts: given.onHelp,
  }
}

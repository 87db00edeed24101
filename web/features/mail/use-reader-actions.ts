/** What the toolbar and the keys do to the open message. What leaves the folder makes room for the next one. */
import type { Folder, MessageSummary } from '#contract/messages.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { toast } from '#web/lib/toast-store.ts'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import { folderKey } from './place/folder-nav.tsx'
import type { Go } from './place/use-place.ts'
import { downloadSource } from './reader/attachment-files.ts'
import type { ReaderActions } from './reader/reader-toolbar.tsx'
import type { Composing } from './use-composing.ts'
import type { MailActions } from './use-mail-actions.ts'
import type { OpenMessage } from './use-open-message.ts'

/** From here on the list stands beside the message. */
const BESIDE = '(min-width: 1280px)'

type Given = {
  mailboxId: string
  folder: string
  open: OpenMessage
  messages: readonly MessageSummary[]
  actions: MailActions
  composing: Composing
  go: Go
  onDoom: (message: MessageSummary) => void
  onHelp: () => void
}

/** What the pane itself does to what it shows. */
type OfThePane = 'print' | 'showOriginal'

export type AllReaderActions = Omit<ReaderActions, OfThePane> & {
  deleteForever: (message: MessageSummary) => Promise<void>
}

export function useReaderActions(given: Given): AllReaderActions {
  const { mailboxId, folder, open, messages, actions, composing, go } = given
  const { summary, message } = open
  const isBeside = useMediaQuery(BESIDE)
  const goOn = () => {
    const index = messages.findIndex(({ _id }) => _id === summary?._id)
    const next = isBeside && index >= 0 ? (messages[index + 1] ?? messages[index - 1]) : undefined
    go({ message: next?._id ?? '' }, { replace: true })
  }
  const moveTo = (target: string, said: string) => {
    if (!summary) return
    goOn()
    void actions.move(summary, folder, target, said)
  }
  return {
    back: () => go({ message: '' }),
    reply: () => message && composing.reply(message, false),
    replyAll: () => message && composing.reply(message, true),
    forward: () => message && composing.forward(message),
    archive: () => folder !== 'archive' && moveTo('archive', 'Archived'),
    toggleJunk: () => {
      if (folder === 'sent' || folder === 'drafts') return
      if (folder === 'junk') moveTo('inbox', 'Not junk: moved to Inbox')
      else moveTo('junk', 'Moved to Junk')
    },
    remove: () => {
      if (!summary) return
      if (folder === 'trash' || folder === 'drafts') given.onDoom(summary)
      else moveTo('trash', 'Moved to Trash')
    },
    deleteForever: (doomed) => {
      goOn()
      return actions.deleteForever(doomed)
    },
    markUnread: () => {
      if (!summary) return
      go({ message: '' })
      void actions.mark(summary, { isRead: false })
    },
    toggleStar: () => summary && void actions.mark(summary, { isStarred: !summary.isStarred }),
    moveTo: (target: Folder) => moveTo(folderKey(target), `Moved to ${target.name}`),
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

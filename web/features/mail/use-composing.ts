/** Writing in the mail page: new messages, replies, drafts, and what an earlier page left in this browser (decision 065). */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { Mailbox } from '#contract/mailboxes.ts'
import { getMessage, type Message } from '#contract/messages.ts'
import type { FormValues } from '#web/features/compose/compose-start.ts'
import { abandonedCopies } from '#web/features/compose/local-copies.ts'
import { useOwnAddresses } from '#web/features/compose/recipients/own-addresses.ts'
import type { ComposeEnds } from '#web/features/compose/use-compose.ts'
import { toastSent } from '#web/features/compose/use-sending.ts'
import { MAX_LETTERS } from '#web/features/compose/windows/letters.ts'
import { queryOf } from '#web/lib/api/use-api.ts'
import { paths } from '#web/paths.ts'
import type { Go } from './folders/use-place.ts'
import { MESSAGE_STALE_MS } from './list/read-ahead.ts'
import { useBackCloses } from './use-back-closes.ts'
import { type Letters, NEW_MESSAGE, type NewRequest, useLetters } from './use-letters.ts'

const loadStarts = () => import('#web/features/compose/compose-start.ts')

export type Composing = Pick<Letters, 'letters' | 'isLoading' | 'onOpen' | 'place'> & {
  write: () => void
  /** Writes to the address of a mailto: link. */
  writeTo: (mailto: string) => void
  /** Here and in `forward`: the id of the message, which may still be loading. */
  reply: (messageId: string, isToAll: boolean) => void
  forward: (messageId: string) => void
  /** Opens the message that a report is about, for another recipient than this one. */
  sendAgain: (report: Message, recipient: string) => void
  /** Attaches files to the letter in use, or to a new one. */
  attach: (files: readonly File[]) => void
  endsOf: (key: string) => ComposeEnds
}

export function useComposing(mailbox: Mailbox, draftId: string, go: Go): Composing {
  const letters = useLetters()
  const { open } = letters
  const ownAddresses = useOwnAddresses(mailbox)
  const about = useAboutMessage(mailbox, ownAddresses)
  const openDraftId = useRef(draftId)
  openDraftId.current = draftId
  const openDraft = (id: string, answers?: string) =>
    open({
      ...{ title: 'Draft', isAnswer: false, draftId: id, about: `draft ${id}` },
      ...(answers !== undefined && { answers }),
      prepare: async () => (await loadStarts()).fromDraft(mailbox, await ownAddresses(), id),
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once, when the address names it
  useEffect(() => {
    if (draftId !== '') void openDraft(draftId)
  }, [draftId])
  useRestoredCopies(mailbox, draftId, letters, ownAddresses)
  useBackCloses(letters, draftId)
  const close = (key: string) => {
    const messageId = letters.handles.current.get(key)?.messageId()
    const closed = letters.close(key)
    const { current } = openDraftId
    if (current !== '' && (closed?.request.draftId === current || messageId === current))
      go({ message: '' }, { replace: true })
  }
  const restoreDraft = useRestoreDraft(mailbox._id, openDraft)
  const write = (purpose: string, fields: () => Promise<object> = async () => ({})) =>
    open({
      ...{ title: 'New message', isAnswer: false, about: purpose },
      prepare: async () =>
        (await loadStarts()).newMessage(mailbox, await ownAddresses(), await fields()),
    })
  return {
    ...letters,
    write: () => void write(NEW_MESSAGE),
    writeTo: (mailto) =>
      void write(mailto, async () =>
        (await import('#contract/mail/mailto.ts')).parseMailto(mailto),
      ),
    reply: (answers, isToAll) => void open(about.reply(answers, isToAll)),
    forward: (messageId) => void open(about.forward(messageId)),
    sendAgain: (report, recipient) =>
      void open({
        ...{ title: 'Send again', isAnswer: false, about: `again ${report._id}` },
        prepare: async () => {
          const { sendAgain } = await loadStarts()
          return sendAgain(mailbox, await ownAddresses(), report, recipient)
        },
      }),
    attach: (files) => {
      const inUse = letters.inUse()
      const handle = inUse && letters.handles.current.get(inUse.request.key)
      if (handle) return handle.addFiles(files)
      void open({
        ...{ title: 'New message', isAnswer: false, about: 'files' },
        prepare: async () => (await loadStarts()).newMessage(mailbox, await ownAddresses()),
        files,
      })
    },
    endsOf: (key) => {
      const letter = letters.letters.find(({ request }) => request.key === key)
      // What is taken back stands in its thread again, unless its writer had moved it out.
      const answers = letter?.isPoppedOut ? undefined : letter?.request.answers
      return {
        close: () => close(key),
        onSent: (sent) => toastSent(mailbox._id, sent, (id) => restoreDraft(id, answers)),
      }
    },
  }
}

/** What opens letters about a message, which may still be loading. */
function useAboutMessage(mailbox: Mailbox, ownAddresses: () => Promise<string[]>) {
  const client = useQueryClient()
  const read = (messageId: string): Promise<Message> =>
    client.fetchQuery({
      ...queryOf(getMessage, { params: { id: mailbox._id, messageId } }),
      staleTime: MESSAGE_STALE_MS,
    })
  return {
    reply: (answers: string, isToAll: boolean): NewRequest => ({
      ...{ title: isToAll ? 'Reply to all' : 'Reply', isAnswer: true, answers },
      about: `reply${isToAll ? ' to all' : ''} ${answers}`,
      prepare: async () => {
        const { replyTo } = await loadStarts()
        return replyTo(mailbox, await ownAddresses(), await read(answers), isToAll)
      },
    }),
    forward: (messageId: string): NewRequest => ({
      ...{ title: 'Forward', isAnswer: false, about: `forward ${messageId}` },
      prepare: async () => {
        const { forward } = await loadStarts()
        return forward(mailbox, await ownAddresses(), await read(messageId))
      },
    }),
  }
}

/** Opens what a reload, a crash or an expired session left, the newest in front. */
function useRestoredCopies(
  mailbox: Mailbox,
  draftId: string,
  letters: Letters,
  ownAddresses: () => Promise<string[]>,
): void {
  const restoreCopies = async () => {
    const copies = await abandonedCopies<FormValues>(mailbox._id)
    if (letters.latest.current.length > 0) return
    for (const copy of copies.slice(0, MAX_LETTERS).toReversed())
      await letters.open({
        ...{ title: copy.title, isAnswer: false, about: `copy ${copy.identity.draft}` },
        prepare: async () => (await loadStarts()).fromCopy(await ownAddresses(), copy),
      })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the mailbox opens, and when the connection is back
  useEffect(() => {
    if (draftId === '') void restoreCopies()
    const restoreAgain = () => void restoreCopies()
    addEventListener('online', restoreAgain)
    return () => removeEventListener('online', restoreAgain)
  }, [mailbox._id])
}

/** Opens a draft here, or in the mail page when the reader has left it: a toast outlives the page that it came from. */
function useRestoreDraft(
  mailbox: string,
  openDraft: (messageId: string, answers?: string) => Promise<void>,
) {
  const navigate = useNavigate()
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return (message: string, answers?: string) => {
    if (isMounted.current) void openDraft(message, answers)
    else void navigate(paths.viewMail({ mailbox, folder: 'drafts', message }))
  }
}

/** The message that is being written, if any. Only one at a time: opening another saves the first. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Message } from '#contract/messages.ts'
import type { ComposeRequest, FormValues } from '#web/features/compose/compose-start.ts'
import { abandonedCopies } from '#web/features/compose/local-copies.ts'
import { useOwnAddresses } from '#web/features/compose/own-addresses.ts'
import type { ComposeEnds } from '#web/features/compose/use-compose.ts'
import { toastSent } from '#web/features/compose/use-sending.ts'
import { paths } from '#web/paths.ts'
import type { Go } from './folders/use-place.ts'

const loadStarts = () => import('#web/features/compose/compose-start.ts')
let openings = 0

type Leave = () => Promise<boolean>

export type Composing = {
  request: ComposeRequest | null
  /** true while the form is loading: keys pressed now are meant for it. */
  isLoading: boolean
  write: () => void
  /** Writes to the address of a mailto: link. */
  writeTo: (mailto: string) => void
  reply: (message: Message, isToAll: boolean) => void
  forward: (message: Message) => void
  ends: ComposeEnds
  onOpen: (leave: Leave | null) => void
}

export function useComposing(mailbox: Mailbox, draftId: string, go: Go): Composing {
  const [request, setRequest] = useState<ComposeRequest | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const ownAddresses = useOwnAddresses(mailbox)
  const leave = useRef<Leave | null>(null)
  const place = useRef({ draftId, request })
  place.current = { draftId, request }
  const onOpen = useCallback((next: Leave | null) => {
    leave.current = next
    setIsOpen(next !== null)
  }, [])
  const open = async (next: Omit<ComposeRequest, 'key'>) => {
    // The open message stays when it cannot be saved.
    if (leave.current && !(await leave.current())) return
    openings += 1
    setRequest({ ...next, key: `opening ${openings}` })
  }
  const openDraft = (id: string) =>
    open({
      ...{ title: 'Draft', isAnswer: false, draftId: id },
      prepare: async () => (await loadStarts()).fromDraft(mailbox, await ownAddresses(), id),
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once, when the address names it
  useEffect(() => {
    if (draftId !== '' && place.current.request?.draftId !== draftId) void openDraft(draftId)
  }, [draftId])
  const restoreCopy = async () => {
    const [copy] = await abandonedCopies<FormValues>(mailbox._id)
    if (!copy || place.current.request) return
    await open({
      ...{ title: copy.title, isAnswer: false },
      prepare: async () => (await loadStarts()).fromCopy(await ownAddresses(), copy),
    })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the mailbox opens, and when the connection is back
  useEffect(() => {
    if (draftId === '') void restoreCopy()
    const restoreAgain = () => void restoreCopy()
    addEventListener('online', restoreAgain)
    return () => removeEventListener('online', restoreAgain)
  }, [mailbox._id])
  const close = () => {
    setRequest(null)
    if (place.current.draftId !== '') go({ message: '' })
  }
  const restoreDraft = useRestoreDraft(mailbox._id, openDraft)
  return {
    ...{ request, isLoading: request !== null && !isOpen, onOpen },
    write: () =>
      void open({
        ...{ title: 'New message', isAnswer: false },
        prepare: async () => (await loadStarts()).newMessage(mailbox, await ownAddresses()),
      }),
    writeTo: (mailto) =>
      open({
        title: 'New message',
        isAnswer: false,
        prepare: async () => {
          const { parseMailto: letterOf } = await import('#web/mail-content/mailto.ts')
          return (await loadStarts()).newMessage(mailbox, await ownAddresses(), letterOf(mailto))
        },
      }),
    reply: (message, isToAll) =>
      void open({
        ...{ title: isToAll ? 'Reply to all' : 'Reply', isAnswer: true },
        prepare: async () =>
          (await loadStarts()).replyTo(mailbox, await ownAddresses(), message, isToAll),
      }),
    forward: (message) =>
      void open({
        ...{ title: 'Forward', isAnswer: false },
        prepare: async () => (await loadStarts()).forward(mailbox, await ownAddresses(), message),
      }),
    ends: { close, onSent: (sent) => toastSent(mailbox._id, sent, restoreDraft) },
  }
}

/** Opens a draft here, or in the mail page when the reader has left it: a toast outlives the page that it came from. */
function useRestoreDraft(mailbox: string, openDraft: (messageId: string) => Promise<void>) {
  const navigate = useNavigate()
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return (message: string) => {
    if (isMounted.current) void openDraft(message)
    else void navigate(paths.viewMail({ mailbox, folder: 'drafts', message }))
  }
}

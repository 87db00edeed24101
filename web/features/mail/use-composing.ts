/** Which message is being written, if any. One at a time: whoever begins another has the first one saved. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Message } from '#contract/messages.ts'
import type { ComposeRequest, FormValues } from '#web/features/compose/compose-start.ts'
import { leftCopies } from '#web/features/compose/local-copies.ts'
import { useOwnAddresses } from '#web/features/compose/own-addresses.ts'
import type { ComposeEnds } from '#web/features/compose/use-compose.ts'
import { sayThatItIsSent } from '#web/features/compose/use-sending.ts'
import { paths } from '#web/paths.ts'
import type { Go } from './folders/use-place.ts'

const loadStarts = () => import('#web/features/compose/compose-start.ts')
let openings = 0

type Leave = () => Promise<boolean>

export type Composing = {
  request: ComposeRequest | null
  /** The form is on its way: keys that are pressed are meant for it. */
  isComing: boolean
  write: () => void
  /** To whom a mailto: link leads. */
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
    // What is being written stays when it cannot be saved.
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
  const restore = async () => {
    const [copy] = await leftCopies<FormValues>(mailbox._id)
    if (!copy || place.current.request) return
    await open({
      ...{ title: copy.title, isAnswer: false },
      prepare: async () => (await loadStarts()).fromCopy(await ownAddresses(), copy),
    })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the mailbox opens, and when the connection is back
  useEffect(() => {
    if (draftId === '') void restore()
    const again = () => void restore()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [mailbox._id])
  const close = () => {
    setRequest(null)
    if (place.current.draftId !== '') go({ message: '' })
  }
  const bringBack = useBringBack(mailbox._id, openDraft)
  return {
    ...{ request, isComing: request !== null && !isOpen, onOpen },
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
          const { letterOf } = await import('#web/mail-content/mailto.ts')
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
    ends: { close, onSent: (sent) => sayThatItIsSent(mailbox._id, sent, bringBack) },
  }
}

/** Opens a draft here, or where it is by then: a toast outlives the page that it came from. */
function useBringBack(mailbox: string, openDraft: (messageId: string) => Promise<void>) {
  const navigate = useNavigate()
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return (message: string) => {
    if (isHere.current) void openDraft(message)
    else void navigate(paths.viewMail({ mailbox, folder: 'drafts', message }))
  }
}

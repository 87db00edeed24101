/** Which message is being written, if any. A draft is open when the address names it. */
import { useMemo } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Message } from '#contract/messages.ts'
import { useKeptState } from '#web/lib/kept-values.ts'
import type { ComposeRequest } from './compose/compose-start.ts'
import { useOwnAddresses } from './compose/sender/use-own-addresses.ts'
import type { Go } from './place/use-place.ts'

const loadStarts = () => import('./compose/compose-start.ts')
let openings = 0

export type Composing = {
  request: ComposeRequest | null
  write: () => void
  /** To whom a mailto: link leads. */
  writeTo: (mailto: string) => void
  reply: (message: Message, isToAll: boolean) => void
  forward: (message: Message) => void
  close: () => void
}

export function useComposing(mailbox: Mailbox, draftId: string, go: Go): Composing {
  const [own, setOwn] = useKeptState<ComposeRequest | null>(`composing ${mailbox._id}`, null)
  const ownAddresses = useOwnAddresses(mailbox)
  const open = (request: Omit<ComposeRequest, 'key'>) => {
    openings += 1
    setOwn({ ...request, key: `opening ${openings}` })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a signature that changes meanwhile is no reason to begin again
  const draft = useMemo<ComposeRequest | null>(
    () =>
      draftId === ''
        ? null
        : {
            title: 'Draft',
            key: `draft ${draftId}`,
            isAnswer: false,
            prepare: async () =>
              (await loadStarts()).fromDraft(mailbox, await ownAddresses(), draftId),
          },
    [draftId, mailbox._id],
  )
  return {
    request: own ?? draft,
    write: () =>
      open({
        title: 'New message',
        isAnswer: false,
        prepare: async () => (await loadStarts()).newMessage(mailbox, await ownAddresses()),
      }),
    writeTo: (mailto) =>
      open({
        title: 'New message',
        isAnswer: false,
        prepare: async () => {
          const { letterOf } = await import('./compose/mailto.ts')
          return (await loadStarts()).newMessage(mailbox, await ownAddresses(), letterOf(mailto))
        },
      }),
    reply: (message, isToAll) =>
      open({
        title: isToAll ? 'Reply to all' : 'Reply',
        isAnswer: true,
        prepare: async () =>
          (await loadStarts()).replyTo(mailbox, await ownAddresses(), message, isToAll),
      }),
    forward: (message) =>
      open({
        title: 'Forward',
        isAnswer: false,
        prepare: async () => (await loadStarts()).forward(mailbox, await ownAddresses(), message),
      }),
    close: () => {
      if (own) setOwn(null)
      else go({ message: '' })
    },
  }
}

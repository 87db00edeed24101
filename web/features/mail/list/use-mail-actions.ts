/** What is done to mail: shown at once, sent to the server, taken back when it refuses or somebody presses Undo. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { changeMessages, undoChange } from '#contract/mail/changes.ts'
import { changeMessage, type MessageSummary } from '#contract/messages.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { formatCount } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import { type Flags, mailCache } from './mail-cache.ts'
import type { Target } from './target.ts'

export type Change = Flags & { folder?: string; delete?: true }

/** Above this many one waits long enough to be told. */
const MANY = 500
const LONG_MS = 120_000

export type MailActions = {
  /** One message, without a toast: the one that is read. */
  mark: (message: Pick<MessageSummary, '_id'>, flags: Flags) => Promise<void>
  /** `said`: 'Archived', for the toast that can take it back; null shows none. */
  change: (target: Target, change: Change, said: string | null) => Promise<void>
  /** Takes the last change back. */
  undo: () => void
}

export function useMailActions(mailboxId: string): MailActions {
  const client = useQueryClient()
  return useMemo(() => actionsOn(client, mailboxId), [client, mailboxId])
}

/** '3 archived' */
const tell = (said: string, count: number): string =>
  count === 1 ? said : `${formatCount(count)} ${said.charAt(0).toLowerCase()}${said.slice(1)}`

function actionsOn(client: QueryClient, mailboxId: string): MailActions {
  const cache = mailCache(client, mailboxId)
  const params = { id: mailboxId }
  let lastChange: string | null = null
  const attempt = async <T>(
    act: () => Promise<T>,
    failure: string,
    onAnswer: () => void = () => {},
  ): Promise<T | null> => {
    try {
      return await act()
    } catch (error) {
      toast({ title: failure, description: messageOf(error), variant: 'error' })
      return null
    } finally {
      onAnswer()
      await cache.readAgain()
    }
  }
  const undo = (id: string | null) => {
    if (id === null) return
    lastChange = null
    void attempt(
      () => call(undoChange, { params: { ...params, changeId: id } }),
      'It could not be undone',
    )
  }
  return {
    mark: async (message, flags) => {
      cache.markOpen(message._id, flags)
      const answered = await cache.mark((row) => row._id === message._id, flags)
      const at = { id: mailboxId, messageId: message._id }
      await attempt(
        () => call(changeMessage, { params: at, body: flags }),
        'The message could not be changed',
        answered,
      )
    },
    change: async (target, change, said) => {
      const isLeaving = change.folder !== undefined || change.delete === true
      const answered = isLeaving
        ? await cache.remove(target.isTouched)
        : await cache.mark(target.isTouched, change)
      for (const id of target.what.messages ?? []) cache.markOpen(id, change)
      if (target.count > MANY)
        toast({ title: `Changing ${formatCount(target.count)} …`, durationMs: LONG_MS })
      const changed = await attempt(
        () => call(changeMessages, { params, body: { ...target.what, ...change } }),
        isLeaving ? 'The mail could not be moved' : 'The mail could not be changed',
        answered,
      )
      if (changed === null) return
      lastChange = changed._id
      if (said === null) return
      const action = changed._id ? { label: 'Undo', run: () => undo(changed._id) } : null
      toast({ title: tell(said, target.count), action })
    },
    undo: () => undo(lastChange),
  }
}

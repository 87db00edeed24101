/** Changes mail: shows the change at once, sends it to the server, and reverts it on an error or on Undo. */
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

/** Above this count the request takes so long that a toast announces it. */
const MANY = 500
const LONG_MS = 120_000

export type MailActions = {
  /** Marks the message that is open, without a toast. */
  mark: (message: Pick<MessageSummary, '_id'>, flags: Flags) => Promise<void>
  /** `title`: toast with Undo, such as 'Archived'; null shows none. */
  change: (target: Target, change: Change, toastTitle: string | null) => Promise<void>
  /** Reverts the last change. */
  undo: () => void
}

export function useMailActions(mailboxId: string): MailActions {
  const client = useQueryClient()
  return useMemo(() => actionsOn(client, mailboxId), [client, mailboxId])
}

/** Returns '3 archived' for 'Archived' and 3. */
const titleOf = (action: string, count: number): string =>
  count === 1 ? action : `${formatCount(count)} ${action.charAt(0).toLowerCase()}${action.slice(1)}`

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
      'The change could not be undone',
    )
  }
  return {
    mark: async (message, flags) => {
      cache.markOpen(message._id, flags)
      const onAnswer = await cache.mark((row) => row._id === message._id, flags)
      const at = { id: mailboxId, messageId: message._id }
      await attempt(
        () => call(changeMessage, { params: at, body: flags }),
        'The message could not be changed',
        onAnswer,
      )
    },
    change: async (target, change, toastTitle) => {
      const isLeaving = change.folder !== undefined || change.delete === true
      const onAnswer = isLeaving
        ? await cache.remove(target.isAffected)
        : await cache.mark(target.isAffected, change)
      for (const id of target.what.messages ?? []) cache.markOpen(id, change)
      if (target.count > MANY)
        toast({ title: `Changing ${formatCount(target.count)} …`, durationMs: LONG_MS })
      const changed = await attempt(
        () => call(changeMessages, { params, body: { ...target.what, ...change } }),
        isLeaving ? 'The mail could not be moved' : 'The mail could not be changed',
        onAnswer,
      )
      if (changed === null) return
      lastChange = changed._id
      if (toastTitle === null) return
      const action = changed._id ? { label: 'Undo', run: () => undo(changed._id) } : null
      toast({ title: titleOf(toastTitle, target.count), action })
    },
    undo: () => undo(lastChange),
  }
}

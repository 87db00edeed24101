/** Changes mail: shows the change at once, sends it to the server, and reverts it on an error or on Undo. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { changeMessages, MAX_CHANGED_IDS, undoChange } from '#contract/mail/changes.ts'
import { changeMessage, type MessageSummary } from '#contract/messages.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { formatCount } from '#web/lib/format.ts'
import { dismissToast, newestToast, openUndo, toast, UNDO } from '#web/lib/toast-store.ts'
import { type Flags, mailCache } from './mail-cache.ts'
import type { Target } from './target.ts'

export type Change = Flags & { folder?: string; delete?: true | 'for good' }

/** Above this count the request takes so long that a toast announces it. */
const MANY = 500
const LONG_MS = 120_000
/** The server keeps a change for an hour. */
const MOST_UNDOABLE = 50

export type MailActions = {
  /** Marks messages that are open, without a toast and without Undo. */
  mark: (messages: readonly Pick<MessageSummary, '_id'>[], flags: Flags) => Promise<void>
  /** `title`: toast with Undo, such as 'Archived'; null shows none. */
  change: (target: Target, change: Change, toastTitle: string | null) => Promise<void>
  /** Reverts the last change that was not reverted yet; says so when there is none. */
  undo: () => void
}

export function useMailActions(mailboxId: string): MailActions {
  const client = useQueryClient()
  return useMemo(() => actionsOn(client, mailboxId), [client, mailboxId])
}

/** Returns '3 archived' for 'Archived' and 3. */
const titleOf = (action: string, count: number): string =>
  count === 1 ? action : `${formatCount(count)} ${action.charAt(0).toLowerCase()}${action.slice(1)}`

const attempting =
  (cache: ReturnType<typeof mailCache>) =>
  async <T>(
    act: () => Promise<T>,
    failure: string,
    onAnswer: () => void = () => {},
  ): Promise<T | null> => {
    try {
      const answer = await act()
      onAnswer()
      await cache.catchUp()
      return answer
    } catch (error) {
      toast({ title: failure, description: messageOf(error), variant: 'error' })
      onAnswer()
      await cache.readAgain()
      return null
    }
  }

function actionsOn(client: QueryClient, mailboxId: string): MailActions {
  const cache = mailCache(client, mailboxId)
  const params = { id: mailboxId }
  /** What can be undone, the last change last: the ids of each, when it is answered. What was pressed last is undone first. */
  let changes: Made[] = []
  const attempt = attempting(cache)
  const forget = (made: Made) => {
    changes = changes.filter((each) => each !== made)
  }
  const undo = (made: Made | undefined) => {
    if (made === undefined) return void toast({ title: 'Nothing to undo' })
    forget(made)
    // Its offer has been taken.
    if (made.toastId !== null) dismissToast(made.toastId)
    const takeBack = async () => {
      for (const changeId of (await made.ids).toReversed())
        await call(undoChange, { params: { ...params, changeId } })
    }
    void attempt(takeBack, 'The change could not be undone')
  }
  return {
    mark: async (marked, flags) => {
      const ids = marked.map(({ _id }) => _id)
      for (const id of ids) cache.markOpen(id, flags)
      const onAnswer = await cache.mark((row) => ids.includes(row._id), flags)
      const [first = '', ...others] = ids
      await attempt<unknown>(
        () =>
          others.length > 0
            ? call(changeMessages, { params, body: { messages: ids, ...flags } })
            : call(changeMessage, { params: { ...params, messageId: first }, body: flags }),
        'The message could not be changed',
        onAnswer,
      )
    },
    change: async (target, change, toastTitle) => {
      const isLeaving = change.folder !== undefined || change.delete !== undefined
      let settle: (ids: readonly string[]) => void = () => {}
      const answered = new Promise<readonly string[]>((resolve) => {
        settle = resolve
      })
      const made: Made = { ids: answered, toastId: null, toastBefore: newestToast() }
      changes = [...changes, made].slice(-MOST_UNDOABLE)
      const onAnswer = isLeaving
        ? await cache.remove(target.isAffected)
        : await cache.mark(target.isAffected, change)
      for (const id of target.what.messages ?? []) cache.markOpen(id, change)
      if (target.count > MANY)
        toast({ title: `Changing ${formatCount(target.count)} …`, durationMs: LONG_MS })
      const done: Done = { ids: [], count: 0 }
      const changed = await attempt(
        () => changeAll(params, target, change, done),
        isLeaving ? 'The mail could not be moved' : 'The mail could not be changed',
        onAnswer,
      )
      // What was changed before an error can be undone, too.
      const { ids } = done
      settle(ids)
      if (ids.length === 0) forget(made)
      const isUndone = ids.length > 0 && !changes.includes(made)
      if (changed === null || toastTitle === null || isUndone) return
      const action = ids.length > 0 ? { label: UNDO, run: () => undo(made) } : null
      made.toastId = toast({
        ...{ title: titleOf(toastTitle, target.what.found ? done.count : target.count), action },
      })
    },
    undo: () => {
      const offer = letterOffer(changes)
      if (offer === undefined) return undo(changes.at(-1))
      dismissToast(offer.id)
      offer.run()
    },
  }
}

/** The shown offer to take back a letter that was sent after the last change of mail. */
const letterOffer = (changes: readonly Made[]) => {
  const offer = openUndo()
  const isOfMail = changes.some(({ toastId }) => toastId === offer?.id)
  const isNewest = (offer?.id ?? 0) > (changes.at(-1)?.toastBefore ?? 0)
  return isNewest && !isOfMail ? offer : undefined
}

/** One change: the ids of its parts when it is answered, its own toast, and the newest toast before it. */
type Made = { ids: Promise<readonly string[]>; toastId: number | null; toastBefore: number }

type Done = { ids: string[]; count: number }

/** In as many requests as it takes; a toast shows how far it is. */
const changeAll = async (
  params: { id: string },
  { what }: Target,
  change: Change,
  done: Done,
): Promise<void> => {
  for (let rest: Target['what'] | null = what; rest !== null; ) {
    const { now, later } = oneRequest(rest)
    const answer = await call(changeMessages, { params, body: { ...now, ...change } })
    if (answer._id) done.ids.push(answer._id)
    done.count += answer.count
    rest = later
    if (what.found && answer.nextCursor)
      rest = { found: { ...what.found, cursor: answer.nextCursor } }
    if (rest) toast({ title: `${formatCount(done.count)} changed so far …`, durationMs: LONG_MS })
  }
}

/** What one request may name, and what is left for the next. */
const oneRequest = (
  what: Target['what'],
): { now: Target['what']; later: Target['what'] | null } => {
  const { messages = [] } = what
  if (messages.length <= MAX_CHANGED_IDS) return { now: what, later: null }
  return {
    now: { messages: messages.slice(0, MAX_CHANGED_IDS) },
    later: { messages: messages.slice(MAX_CHANGED_IDS) },
  }
}

/** Asks what is new in a mailbox, and changes the lists that are loaded, instead of reading them again (decision 091). */
import {
  focusManager,
  onlineManager,
  type Query,
  type QueryClient,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  type ChangesOfList,
  conversationChanges,
  getConversation,
  listConversations,
} from '#contract/mail/conversations.ts'
import { getMessage, listFolders } from '#contract/messages.ts'
import type { Output } from '#contract/route.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { invalidateWithPending } from '#web/lib/api/query-client.ts'
import { keyOf } from '#web/lib/api/use-api.ts'
import { offerTaker } from '#web/lib/live/take-news.ts'
import { applyChanges, pagesFromTop } from './apply-changes.ts'
import { argsOf, askedBy, loadedPages, PAGE } from './list-pages.ts'

type News = {
  /** Of the mailbox; lists as of this one are up to date. undefined: not known. */
  modseq?: number | undefined
  /** The open message shows it already. */
  isOwn?: boolean
}

/** Conversations, by id. */
type Changed = Pick<ReadonlySet<string>, 'has'>

/** As if each had changed. */
const EVERY: Changed = { has: () => true }

export type CatchUp = {
  take(news: News): Promise<void>
  /** Collects what changes until the answer is there: what it tells of changed conversations is old. */
  whileAsking<Answer>(answer: Promise<Answer>): Promise<{ answer: Answer; changed: Changed }>
  /** Holds it until the returned function is called: lists show a change that the server has not made yet. */
  hold(): () => void
}

/** The wait before the server is asked again that could not be asked. */
const RETRY_MS = 5_000

const TAKEN = [listConversations, listFolders, getConversation, getMessage].map(({ path }) => path)

const all = new WeakMap<QueryClient, Map<string, CatchUp>>()

export const catchUpOf = (client: QueryClient, mailboxId: string): CatchUp => {
  const ofClient = all.get(client) ?? new Map<string, CatchUp>()
  all.set(client, ofClient)
  const known = ofClient.get(mailboxId) ?? openCatchUp(client, mailboxId)
  ofClient.set(mailboxId, known)
  return known
}

const openCatchUp = (client: QueryClient, mailboxId: string): CatchUp => {
  let running: Promise<void> | null = null
  let waiting: News | null = null
  let held = 0
  const watches = new Set<{ changed: Changed[] }>()
  let retry: ReturnType<typeof setTimeout> | undefined
  const add = (news: News) => {
    waiting = waiting === null ? news : both(waiting, news)
  }
  const onChange = (changed: Changed) => {
    for (const watch of watches) watch.changed.push(changed)
  }
  /** false: the server could not be asked. */
  const step = async (news: News): Promise<boolean> => {
    const place = { client, mailboxId, isHeld: () => held > 0, onChange }
    try {
      if (!(await catchUp(place, news))) add(news)
    } catch (error) {
      if (!isRefused(error)) {
        add(news)
        return false
      }
      await readAgain(place, news)
    }
    return true
  }
  const run = async () => {
    let isAsked = true
    while (isAsked && waiting !== null && held === 0) {
      const news: News = waiting
      waiting = null
      isAsked = await step(news)
    }
    running = null
    if (!isAsked) retry = setTimeout(go, RETRY_MS)
  }
  const go = (): Promise<void> => {
    if (running !== null || waiting === null || held > 0) return running ?? Promise.resolve()
    clearTimeout(retry)
    running = run()
    return running
  }
  return {
    take: (news) => {
      add(news)
      return go()
    },
    whileAsking: async (asked) => {
      const watch: { changed: Changed[] } = { changed: [] }
      watches.add(watch)
      try {
        const answer = await asked
        const has = (thread: string) => watch.changed.some((changed) => changed.has(thread))
        return { answer, changed: { has } }
      } finally {
        watches.delete(watch)
      }
    },
    hold: () => {
      held += 1
      return () => {
        held -= 1
        void go()
      }
    },
  }
}

/** Lists say themselves why they cannot be read: the folder or the right is gone. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && [400, 403, 404, 409].includes(error.statusCode)

/** Of two, one question is asked. */
const both = (one: News, other: News): News => ({
  modseq:
    one.modseq === undefined || other.modseq === undefined
      ? undefined
      : Math.max(one.modseq, other.modseq),
  isOwn: one.isOwn === true && other.isOwn === true,
})

type CatchUpPlace = {
  client: QueryClient
  mailboxId: string
  isHeld: () => boolean
  onChange: (changed: Changed) => void
}

/** false: the lists changed meanwhile, so the answer does not fit them. */
const catchUp = async (place: CatchUpPlace, news: News): Promise<boolean> => {
  const { client, mailboxId, isHeld, onChange } = place
  const params = { id: mailboxId }
  const lists = { queryKey: [listConversations.path, { params }] }
  const [shown] = client.getQueryCache().findAll({ ...lists, type: 'active' })
  const folder = shown && askedBy(shown).folder
  const known = () => (folder ? pagesFromTop(loadedPages(client, mailboxId, folder)) : [])
  const { length } = known()
  const since = known()[0]?.data.modseq
  if (folder === undefined || since === undefined) return readAgain(place, news)
  if (news.modseq !== undefined && news.modseq <= since) return true
  const query = { folder, since, rows: length * PAGE }
  const changes = await call(conversationChanges, { params, query })
  // A page that is on its way again may be older, and would replace what is written here.
  await client.cancelQueries({ ...lists, predicate: ({ state }) => state.data !== undefined })
  const [top] = known()
  if (isHeld() || top?.data.modseq !== since) return false
  const pages = changes.isForgotten ? null : applyChanges(known().slice(0, length), changes)
  if (pages === null) return readAgain(place, news)
  onChange(new Set(changes.threads))
  for (const { from, data } of pages)
    client.setQueryData(keyOf(listConversations, argsOf(mailboxId, folder, from / PAGE)), data)
  client.setQueryData(keyOf(listFolders, { params }), changes.folders)
  const isWritten = (query: Query) =>
    askedBy(query).folder === folder && pages.some(({ from }) => from === askedBy(query).from)
  await Promise.all([
    invalidateWithPending(client, { ...lists, predicate: (query) => !isWritten(query) }),
    readContentAgain(client, mailboxId, changes, news),
  ])
  return true
}

/** The open message and conversation, where they changed. */
const readContentAgain = async (
  client: QueryClient,
  mailboxId: string,
  { threads, messages }: ChangesOfList,
  news: News,
): Promise<void> => {
  const params = { id: mailboxId }
  const isOfThread = ({ state }: Query) => {
    const data = state.data as Output<typeof getConversation> | undefined
    return data === undefined || threads.includes(data.threadId)
  }
  const isOfMessage = ({ queryKey }: Query) => {
    const { params: of } = queryKey[1] as { params: { messageId: string } }
    return messages.includes(of.messageId)
  }
  await Promise.all([
    invalidateWithPending(client, {
      ...{ queryKey: [getConversation.path, { params }], predicate: isOfThread },
    }),
    invalidateWithPending(client, {
      ...{ queryKey: [getMessage.path, { params }], predicate: isOfMessage },
      ...openMessage(news),
    }),
  ])
}

const readAgain = async (
  { client, mailboxId, onChange }: CatchUpPlace,
  news: News,
): Promise<true> => {
  onChange(EVERY)
  await readMailboxAgain(client, mailboxId, news)
  return true
}

/** Its lists, counts, conversations and messages. */
export const readMailboxAgain = async (
  client: QueryClient,
  mailboxId: string,
  news: News,
): Promise<void> => {
  const key = { params: { id: mailboxId } }
  await Promise.all(
    TAKEN.map((path) =>
      invalidateWithPending(client, {
        ...{ queryKey: [path, key] },
        ...(path === getMessage.path && openMessage(news)),
      }),
    ),
  )
}

const openMessage = ({ isOwn }: News) =>
  ({ refetchType: isOwn === true ? 'none' : 'active' }) as const

/** Of the queries of lists: `useCatchUp` asks what is new instead. */
export const caughtUp = { refetchOnWindowFocus: false, refetchOnReconnect: false } as const

/** Keeps the lists of the open mailbox up to date. */
export function useCatchUp(mailboxId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const up = catchUpOf(client, mailboxId)
    const isTaken = ({ queryKey }: Query) => {
      const [path, args] = queryKey as [string, { params?: { id?: string } } | undefined]
      return TAKEN.includes(path) && args?.params?.id === mailboxId
    }
    const take = (modseq: number | undefined) => void up.take({ modseq })
    const stop = offerTaker({ mailboxId, take, isTaken })
    // Events may have been missed.
    const askAgain = (isBack: boolean) => {
      if (isBack) void up.take({})
    }
    const ends = [focusManager.subscribe(askAgain), onlineManager.subscribe(askAgain)]
    return () => {
      for (const end of [stop, ...ends]) end()
    }
  }, [client, mailboxId])
}

/** Whom operators block or allow (decision 109): a copy in each process, which a notification renews. */
import type { App } from '#server/app.ts'
import { remembered } from '#server/lib/cache.ts'
import {
  type ListEntry,
  openSenderList,
  type SenderList,
} from '#server/standards/junk/sender-list.ts'
import { SENDER_LIST_CHANNEL } from '#server/storage/notifications.ts'
import { deleteEndedListed, listedRows } from './sender-list-queries.ts'

const ALL = ''

const senderList = (app: App): Promise<SenderList> =>
  remembered(app.caches.senderList, ALL, async () =>
    openSenderList(await listedRows(app.db, app.clock.now()).execute()),
  )

/** Until the returned function is called, a change counts at once. */
export const watchSenderList = (app: App): Promise<() => void> =>
  app.listener.subscribe(SENDER_LIST_CHANNEL, () => app.caches.senderList.delete(ALL))

export const listedNetwork = async (app: App, ip: string): Promise<ListEntry | null> =>
  (await senderList(app)).network(ip, app.clock.now())

export const listedSender = async (app: App, address: string): Promise<ListEntry | null> =>
  (await senderList(app)).sender(address, app.clock.now())

export const purgeSenderList = (app: App): Promise<void> =>
  deleteEndedListed(app.db, app.clock.now())

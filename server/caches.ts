/** The caches of one process. Emptying one at any moment costs only time. */
import type { Configuration } from 'openid-client'
import { openCache } from './lib/cache.ts'
import { HOUR_MS } from './lib/clock.ts'
import type { JunkModel } from './standards/junk/junk-model.ts'
import type { SenderList } from './standards/junk/sender-list.ts'

export type Caches = ReturnType<typeof openCaches>

export const openCaches = () => ({
  /** Verified access tokens: a page makes many calls with one token. */
  accessTokens: openCache<{ sessionId: string; userId: string; expiresAt: Date }>({ most: 1_000 }),
  /** Workspaces with far more free storage than two seconds of mail can fill: until the entry expires, no message is checked. */
  ampleRoom: openCache<true>({ most: 10_000, keepMs: 2_000 }),
  /** By record type and name: a burst of mail from one sender needs the same DNS answers for each message. */
  dnsAnswers: openCache<Promise<unknown[]>>({ most: 2_000, keepMs: 5_000 }),
  /** By mailbox; null: the mailbox has no model, as most have none. A model takes 64 kB. */
  junkModels: openCache<Promise<JunkModel | null>>({ most: 500, keepMs: 2_000 }),
  /** By blob: the picture URLs that a message contains. Each request for a picture checks them, and a blob never changes. */
  pictureAddresses: openCache<Promise<Set<string>>>({ most: 50 }),
  /** What keeps this installation from real mail; by workspace what its MX hosts show, '' for the rest. */
  installationFaults: openCache<Promise<string[]>>({ most: 1_000, keepMs: HOUR_MS }),
  /** Under '': senders that operators block or allow. A notification empties it; the time is for one that was lost. */
  senderList: openCache<Promise<SenderList>>({ most: 1, keepMs: 60_000 }),
  /** By login, network, stored hash and a MAC of the password: whether it is right. Programs sign in again every few minutes. */
  programPasswords: openCache<boolean>({ most: 10_000, keepMs: 5 * 60_000 }),
  /** By password, network and scope: when its use was last written, in milliseconds. */
  programUses: openCache<number>({ most: 10_000 }),
  /** By API key: when its use was last written, in milliseconds. */
  keyUses: openCache<number>({ most: 10_000 }),
  /** The endpoints and keys of GOOGLE_ISSUER. */
  googleClient: openCache<Promise<Configuration>>({ most: 1, keepMs: HOUR_MS }),
})

/**
 * Kills everything, or the database alone, while mail is filed, the sweep moves files into segments and rewrites sparse segments,
 * and the worker writes searched texts. Afterwards every mail with a 250 is there once, byte for byte, is found by the search and
 * told by the change log; and the mails that were moved meanwhile are as they were.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Domain } from '#contract/domains.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { killPostgres } from '../postgres/kill-postgres.ts'
import type { Product } from '../product.ts'
import { type Account, aMailboxAt } from './account.ts'
import { isHealthy } from './database-trouble.ts'
import { faultsOf, keptMails } from './incoming-kill.ts'
import { endlessMails } from './mails.ts'
import { type Chance, chanceOf } from './seeded.ts'
import { aLogReader, type LogReader, notFound, notTold } from './store/by-api.ts'
import { type Layout, type Look, openLayout } from './store/layout.ts'
import { startSending } from './store/sender.ts'

export type Victim = 'everything' | 'database'

export type StoreTrial = {
  acknowledged: number
  inFlight: number
  /** How the store was at the last look before the kill. */
  last: Look
  /** What the sweep was at; null: it was over. */
  sweep: 'files' | 'segments' | null
  /** Whether the kill left some mails in the old layout and others not; the same for sparse segments. */
  isHalfMoved: boolean
  isHalfRewritten: boolean
  restartMs: number
  faults: string[]
}

export type StoreWorld = { product: Product; account: Account; domain: Domain }

/** Mails of earlier kills that the sweep moves: what their reader read before. */
type Generation = { mailbox: Mailbox; kept: Map<string, Buffer[]> }

const FIRST_MAILS = 250
/** Of each kill, the last of them afterwards. */
const FEWEST_MAILS = 150
/** Of each mailbox, after its kill: what goes leaves holes in the segments. */
const KEPT_SHARE = 0.45
/** A mailbox is looked at after this many more kills, and then deleted whole. */
const GENERATIONS = 3
const LONGEST_MS = 60_000
const LOOK_MS = 4

/** The moment of a kill; `share` of what the sweep has to do is done then. */
const moments = ['move', 'rewrite', 'filing', 'any'] as const
type Moment = { kind: (typeof moments)[number]; share: number; delayMs: number }

export type StoreKills = {
  /** The seed chooses the moment and what the sweep finds. */
  kill(seed: number, victim: Victim): Promise<StoreTrial>
  /** Lets a whole sweep run, and reads once more what is left. @returns the faults */
  finish(): Promise<string[]>
}

export const aStoreTrial = async ({
  product,
  account,
  domain,
}: StoreWorld): Promise<StoreKills> => {
  const generations: Generation[] = []
  const first = await aMailboxAt(account, domain, 'first')
  const sending = startSending(
    () => product.smtpPort,
    first.email,
    endlessMails(first.email, 0).take(FIRST_MAILS),
  )
  await until(() => sending.acknowledged.size === FIRST_MAILS)
  await sending.stop()
  generations.push(await thinned(product, account, first))

  return {
    kill: async (seed, victim) => {
      const chance = chanceOf(seed)
      const mailbox = await aMailboxAt(account, domain, `store${seed}`)
      const moment = aMoment(chance)
      const boxes = generations.map((each) => each.mailbox._id)
      const layout = await openLayout(product.dataDir)
      await until(async () => !(await layout.look(boxes, [])).isSweeping)
      await layout.makeFiles(boxes, moment.kind === 'rewrite' ? 0 : 0.6)
      const old = layout.age(moment.kind !== 'rewrite')

      const mails = endlessMails(mailbox.email, seed)
      const sender = startSending(() => product.smtpPort, mailbox.email, mails)
      const reader = aLogReader(account, mailbox)
      const killAfter = chance.between(1, 60)
      await until(() => sender.acknowledged.size >= killAfter)
      await reader.readOn()
      const begin = await layout.look(boxes, old)
      const last = await waitFor(layout, boxes, { old, begin, moment, reader })
      await layout.close()
      const restartMs = await strike({ product, account }, victim, () => sender.acknowledged.size)
      await until(() => sender.acknowledged.size >= FEWEST_MAILS)
      await sender.stop()

      const after = await openLayout(product.dataDir)
      const left = await after.look(boxes, old)
      await after.close()
      const { begun, acknowledged } = sender
      const kept = await keptMails(account, mailbox)
      const faults = [
        ...sender.faults,
        ...faultsOf(begun, acknowledged, kept),
        ...(await notFound(
          account,
          mailbox,
          [...begun].filter(({ subject }) => kept.has(subject)),
        )),
        ...(await notTold(reader, kept)),
        ...(await notTold(aLogReader(account, mailbox), kept)),
        ...(await changedOf(account, generations)),
      ]
      generations.push(await thinned(product, account, mailbox))
      if (generations.length > GENERATIONS) await deleteAll(product, account, generations.shift())
      return {
        acknowledged: acknowledged.size,
        inFlight: begun.size - acknowledged.size,
        last,
        sweep: sweepAt(moment, last),
        isHalfMoved: isHalf(last, begin.files, left.files),
        isHalfRewritten: isHalf(last, begin.inOldSegments, left.inOldSegments),
        restartMs,
        faults,
      }
    },
    finish: async () => {
      const layout = await openLayout(product.dataDir)
      const boxes = generations.map(({ mailbox }) => mailbox._id)
      layout.age(true)
      await layout.startSweep()
      await until(async () => (await layout.look(boxes, [])).files === 0)
      await layout.close()
      return changedOf(account, generations)
    },
  }
}

const aMoment = (chance: Chance): Moment => {
  const kind = chance.oneOf(moments)
  const share = Math.max(0, chance.between(-9, 9)) / 10
  // Within the first hundred that move at once, or right behind a hundred. A rewrite is short.
  const isShort = kind === 'rewrite'
  const delayMs = share === 0 ? chance.between(0, isShort ? LOOK_MS : 40) : 0
  return { kind, share: isShort ? Math.min(share, 0.1) : share, delayMs }
}

const sweepAt = ({ kind }: Moment, { isSweeping, files }: Look) => {
  if (!isSweeping) return null
  return kind === 'rewrite' || files === 0 ? 'segments' : 'files'
}

const isHalf = ({ isSweeping }: Look, before: number, left: number): boolean =>
  isSweeping && left > 0 && left < before

type Watched = { old: readonly string[]; begin: Look; moment: Moment; reader: LogReader }

/** Until the moment has come, or the sweep is over. The reader of the log reads on meanwhile. */
const waitFor = async (
  layout: Layout,
  boxes: readonly string[],
  { old, begin, moment, reader }: Watched,
): Promise<Look> => {
  let isReading = true
  const reading = (async () => {
    while (isReading) {
      await reader.readOn()
      await wait(LOOK_MS)
    }
  })()
  const look = async () => {
    await wait(LOOK_MS)
    return layout.look(boxes, old)
  }
  const startedAt = performance.now()
  const isLate = () => performance.now() - startedAt > LONGEST_MS
  let last = await look()
  while (moment.kind === 'filing' && !last.isFiling && !isLate()) last = await look()
  await layout.startSweep()
  while (!last.isSweeping && !isLate()) last = await look()
  while (last.isSweeping && !isNow(moment, begin, last)) last = await look()
  isReading = false
  await reading
  await wait(moment.delayMs)
  return last.isSweeping ? layout.look(boxes, old) : last
}

const isNow = ({ kind, share }: Moment, begin: Look, now: Look): boolean => {
  if (kind === 'move') return begin.files - now.files >= begin.files * share
  if (kind === 'rewrite')
    return now.files === 0 && begin.inOldSegments - now.inOldSegments >= begin.inOldSegments * share
  return true
}

/** @returns milliseconds until mail is taken again */
const strike = async (
  { product, account }: Pick<StoreWorld, 'product' | 'account'>,
  victim: Victim,
  acknowledged: () => number,
): Promise<number> => {
  if (victim === 'everything') await product.kill()
  else killPostgres(product.dataDir)
  const startedAt = performance.now()
  if (victim === 'everything') await product.start()
  const before = acknowledged()
  await until(async () => acknowledged() > before && (await isHealthy(product.url)))
  const restartMs = performance.now() - startedAt
  await account.logIn()
  return restartMs
}

/** Deletes the larger part of a mailbox for good. @returns what is left */
const thinned = async (
  product: Product,
  account: Account,
  mailbox: Mailbox,
): Promise<Generation> => {
  const ids = await idsOf(account, mailbox)
  await deleteForGood(
    product,
    account,
    mailbox,
    ids.filter((_, n) => n % 100 >= KEPT_SHARE * 100),
  )
  return { mailbox, kept: await keptMails(account, mailbox) }
}

const deleteAll = async (product: Product, account: Account, old: Generation | undefined) => {
  if (old !== undefined)
    await deleteForGood(product, account, old.mailbox, await idsOf(account, old.mailbox))
}

const idsOf = async (account: Account, mailbox: Mailbox): Promise<string[]> => {
  const reader = aLogReader(account, mailbox)
  while (await reader.readOn());
  return [...reader.known.keys()]
}

const MOST_IDS = 500

const deleteForGood = async (
  product: Product,
  account: Account,
  mailbox: Mailbox,
  ids: readonly string[],
): Promise<void> => {
  for (let at = 0; at < ids.length; at += MOST_IDS) {
    const change = { messages: ids.slice(at, at + MOST_IDS), delete: true }
    for (const _ of ['to the trash', 'for good'])
      await account.ask('POST', `/mailboxes/${mailbox._id}/changes`, change)
  }
  const layout = await openLayout(product.dataDir)
  await layout.forgetDeleted()
  await layout.close()
}

/** What is no longer as its reader read it before, of all mailboxes. */
const changedOf = async (
  account: Account,
  generations: readonly Generation[],
): Promise<string[]> => {
  const faults: string[] = []
  for (const { mailbox, kept } of generations) {
    const now = await keptMails(account, mailbox)
    for (const subject of new Set([...kept.keys(), ...now.keys()]))
      if (!isSame(kept.get(subject), now.get(subject)))
        faults.push(`'${subject}' is not as it was before the sweep`)
  }
  return faults
}

const isSame = (one: Buffer[] = [], other: Buffer[] = []): boolean =>
  one.length === other.length && one.every((raw, at) => raw.equals(other[at] ?? Buffer.alloc(0)))

const until = async (isIt: () => boolean | Promise<boolean>): Promise<void> => {
  const startedAt = performance.now()
  while (!(await isIt())) {
    if (performance.now() - startedAt > LONGEST_MS) throw new Error('it never came')
    await wait(20)
  }
}

/**
 * Reads mail that comes in on threads that are ended when a mail keeps them busy: whatever strangers write, the
 * process goes on. Mails that are quick to read do not wait for others (decision 029).
 */
import type { App } from '#server/app.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { openSharedThread, type SharedThread } from '#server/lib/shared-thread/shared-thread.ts'
import { type FairTurns, openFairTurns } from '#server/lib/turns/turns.ts'
import { digestOf } from '#server/standards/message-digest.ts'
import { bodyStartOf } from '#server/standards/message-lines.ts'
import { unreadableEmail } from '#server/standards/message-text.ts'
import { type Sender, undecided, type Verdict } from '../sender/verdict.ts'
import type { MailJobs, ReadMail } from './mail-jobs.ts'
import type { Answer, MailJob, MailResult, Question } from './mail-thread.ts'

const SMALL_BYTES = 100_000
/** Ordinary mail has a few kB, and a few dozen lines that could begin a part. */
const SMALL_HEADER_BYTES = 16_000
const FEW_PARTS = 200
const module = new URL('./mail-thread.ts', import.meta.url)

type Thread = SharedThread<MailJob, MailResult>

/** Several apps in one process, as in tests, share the threads, and each has its own DNS. */
const askable: App['dns'][] = []
const numberOf = ({ dns }: App): number => {
  const known = askable.indexOf(dns)
  return known === -1 ? askable.push(dns) - 1 : known
}

const lookUp = async ({ dns, name, type }: Question): Promise<Answer> => {
  try {
    return { records: (await askable[dns]?.resolve(name, type)) ?? [] }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'ESERVFAIL'
    return { code, message: String(error) }
  }
}

const open = (stallMs: number, idleMs: number): Thread =>
  openSharedThread<MailJob, MailResult, Question, Answer>(module, {
    ...{ answer: lookUp, stallMs, idleMs, maxHeapMb: 256 },
  })

type MailThreads = {
  small: Thread
  large: Thread
  /** For one mail at a time. */
  alone: Thread
  /** Of networks, on each of them. */
  turns: Record<'small' | 'large' | 'alone', FairTurns>
}

export const mailThreads: MailThreads = {
  // To start it again takes as long as to read a hundred mails.
  small: open(2_000, 300_000),
  large: open(5_000, 30_000),
  alone: open(3_000, 30_000),
  turns: {
    // Most wait for DNS, which a stranger's server may keep them doing; a few of each keep the thread busy.
    small: openFairTurns({ atOnce: 200, atOnceOfEach: 8 }),
    large: openFairTurns({ atOnce: 8, atOnceOfEach: 2 }),
    alone: openFairTurns({ atOnce: 1 }),
  },
}

/** Never fails: what cannot be read in time is known by its header alone, and its sender is not vouched for. */
export const readMail = async (
  app: App,
  raw: Buffer,
  sender: Sender,
  threads: MailThreads = mailThreads,
): Promise<ReadMail> => {
  const size = isDear(raw) ? 'large' : 'small'
  const read =
    (await threads.turns[size].take(networkOf(sender.ip), () =>
      run(app, threads[size], 'all', { sender }, raw),
    )) ?? (await readAlone(app, raw, sender, threads))
  if (read.verdict.fault !== undefined)
    app.log.warn({ fault: read.verdict.fault }, 'a message could not be authenticated')
  return read
}

/** Whether it could take long to read: such mails wait for each other, whoever sends them. */
const isDear = (raw: Buffer): boolean => {
  if (raw.length > SMALL_BYTES || bodyStartOf(raw) > SMALL_HEADER_BYTES) return true
  let at = -1
  for (let parts = 0; parts <= FEW_PARTS; parts++) {
    at = raw.indexOf('\n--', at + 1)
    if (at === -1) return false
  }
  return true
}

/** It kept the thread busy, or another one did that was there at the same moment. */
const readAlone = (
  app: App,
  raw: Buffer,
  sender: Sender,
  { alone, turns }: MailThreads,
): Promise<ReadMail> =>
  turns.alone.take(networkOf(sender.ip), async () => {
    const digest = (await run(app, alone, 'digest', {}, raw)) ?? {
      ...((await run(app, alone, 'digestOfHeader', {}, raw)) ?? digestOf(unreadableEmail)),
      isPartial: true,
    }
    const verdict: Verdict =
      (await run(app, alone, 'verdict', { sender }, raw)) ?? undecided(app.config.mailHost)
    if (digest === 'too-deep') return { digest, verdict }
    const shown = await run(app, alone, 'shownAuthor', { verdict, shown: digest.from })
    return { digest, verdict: shown ?? verdict }
  })

/** As MailJobs has it. */
export const spfDomain = (app: App, { ip, helo, mailFrom }: Sender): Promise<string | null> =>
  run(app, mailThreads.small, 'spfDomain', { sender: { ip, helo, mailFrom } })

const run = async <Name extends keyof MailJobs>(
  app: App,
  thread: Thread,
  name: Name,
  given: Omit<Parameters<MailJobs[Name]>[0], 'raw'>,
  raw?: Buffer,
): Promise<ReturnType<MailJobs[Name]> | null> => {
  // A copy: these bytes are still to be stored.
  const copy = raw && new Uint8Array(raw)
  const by = { dns: numberOf(app), mailHost: app.config.mailHost }
  const job = { do: name, ...by, ...given, ...(copy && { raw: copy }) }
  const done = await thread.run(job as unknown as MailJob, copy ? [copy.buffer] : [])
  return done as ReturnType<MailJobs[Name]> | null
}

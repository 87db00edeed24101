/**
 * Reads mail that comes in on threads that are ended when a mail keeps them busy: whatever strangers write, the
 * process goes on. Small mails do not wait for large ones.
 */
import type { App } from '#server/app.ts'
import { openSharedThread, type SharedThread } from '#server/lib/shared-thread/shared-thread.ts'
import { openTurns } from '#server/lib/turns.ts'
import { digestOf } from '#server/standards/message-digest.ts'
import { unreadableEmail } from '#server/standards/message-text.ts'
import { type Sender, undecided, type Verdict } from '../sender/verdict.ts'
import type { MailJobs, ReadMail } from './mail-jobs.ts'
import type { Answer, MailJob, MailResult, Question } from './mail-thread.ts'

const SMALL_BYTES = 100_000
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
    ...{ answer: lookUp, stallMs, idleMs },
  })

type MailThreads = {
  small: Thread
  large: Thread
  /** For one mail at a time. */
  alone: Thread
  turns: ReturnType<typeof openTurns>
}

export const mailThreads: MailThreads = {
  // To start it again takes as long as to read a hundred mails.
  small: open(2_000, 300_000),
  large: open(5_000, 30_000),
  alone: open(3_000, 30_000),
  turns: openTurns(1),
}

/** Never fails: what cannot be read in time is known by its header alone, and its sender is not vouched for. */
export const readMail = async (
  app: App,
  raw: Buffer,
  sender: Sender,
  threads: MailThreads = mailThreads,
): Promise<ReadMail> => {
  const thread = raw.length <= SMALL_BYTES ? threads.small : threads.large
  const read =
    (await run(app, thread, 'all', { sender }, raw)) ?? (await readAlone(app, raw, sender, threads))
  if (read.verdict.fault !== undefined)
    app.log.warn({ fault: read.verdict.fault }, 'a message could not be authenticated')
  return read
}

/** It kept the thread busy, or another one did that was there at the same moment. */
const readAlone = (
  app: App,
  raw: Buffer,
  sender: Sender,
  { alone, turns }: MailThreads,
): Promise<ReadMail> =>
  turns.take(async () => {
    const digest =
      (await run(app, alone, 'digest', {}, raw)) ??
      (await run(app, alone, 'digestOfHeader', {}, raw)) ??
      digestOf(unreadableEmail)
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

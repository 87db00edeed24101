/**
 * Parses incoming mail on threads that are ended when a mail blocks them, so that hostile mail cannot stop the process. Mail that
 * is quick to parse does not wait for other mail (decision 029).
 */
import type { App } from '#server/app.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import {
  type Given,
  openThreads,
  type ThreadOptions,
  type Threads,
} from '#server/lib/threads/threads.ts'
import { digestOf } from '#server/standards/message-digest.ts'
import { bodyStartOf } from '#server/standards/message-lines.ts'
import { unreadableEmail } from '#server/standards/message-text.ts'
import { answerCache } from '../sender/answer-cache.ts'
import { type Sender, undecided, type Verdict } from '../sender/verdict.ts'
import type { Answer, MailJobs, Question, ReadMail } from './mail-jobs.ts'

const SMALL_BYTES = 100_000
/** Ordinary mail has a header of a few kB, and a few dozen lines that could start a part. */
const SMALL_HEADER_BYTES = 16_000
const FEW_PARTS = 200
const open = (options: ThreadOptions) =>
  openThreads<MailJobs, Question, Answer>(new URL('./mail-thread.ts', import.meta.url), {
    ...options,
    maxHeapMb: 256,
  })

type MailThreads = Record<'small' | 'large' | 'alone', Threads<MailJobs, Question, Answer>>

/** Networks take turns. */
export const mailThreads: MailThreads = {
  // Most jobs wait for DNS, which a hostile name server can prolong; a few jobs per network keep the thread busy.
  // Starting the thread takes as long as reading a hundred mails, so it stays for five minutes.
  small: open({ jobsOnEach: 200, jobsOfEachParty: 8, stallMs: 2_000, idleMs: 300_000 }),
  large: open({ jobsOnEach: 8, jobsOfEachParty: 2, stallMs: 5_000, idleMs: 30_000 }),
  /** Runs one job at a time. */
  alone: open({ stallMs: 3_000, idleMs: 30_000 }),
}

/** Never fails: a mail that cannot be parsed in time gets a digest of its header, and its sender counts as unchecked. */
export const readMail = async (
  app: App,
  raw: Buffer,
  sender: Sender,
  threads: MailThreads = mailThreads,
): Promise<ReadMail> => {
  const { mailHost } = app.config
  const size = isDear(raw) ? 'large' : 'small'
  const read =
    (await threads[size].run(networkOf(sender.ip), 'all', () =>
      mailJob(app, raw, (copy) => [copy, mailHost, sender]),
    )) ?? (await readAlone(app, raw, sender, threads))
  if (read.verdict.fault !== undefined)
    app.log.warn({ fault: read.verdict.fault }, 'a message could not be authenticated')
  return read
}

/** Whether the mail may take long to parse: such mails wait for each other. */
const isDear = (raw: Buffer): boolean => {
  if (raw.length > SMALL_BYTES || bodyStartOf(raw) > SMALL_HEADER_BYTES) return true
  let at = -1
  for (let parts = 0; parts <= FEW_PARTS; parts++) {
    at = raw.indexOf('\n--', at + 1)
    if (at === -1) return false
  }
  return true
}

/** Parses a mail by itself when it, or another mail at the same time, blocked the shared thread. */
const readAlone = async (
  app: App,
  raw: Buffer,
  sender: Sender,
  { alone }: MailThreads,
): Promise<ReadMail> => {
  const { mailHost } = app.config
  const network = networkOf(sender.ip)
  const digest = (await alone.run(network, 'digest', () =>
    mailJob(app, raw, (copy) => [copy]),
  )) ?? {
    ...((await alone.run(network, 'digestOfHeader', () => mailJob(app, raw, (copy) => [copy]))) ??
      digestOf(unreadableEmail)),
    isPartial: true,
  }
  const verdict: Verdict =
    (await alone.run(network, 'verdict', () =>
      mailJob(app, raw, (copy) => [copy, mailHost, sender]),
    )) ?? undecided(mailHost)
  if (digest === 'too-deep') return { digest, verdict }
  const shown = await alone.run(network, 'shownAuthor', () => ({
    args: [verdict, mailHost, digest.from],
    answer: lookUp(app),
  }))
  return { digest, verdict: shown ?? verdict }
}

/** `spfDomain` of MailJobs. Its turns are separate from those of mails, since the result decides whether mail is accepted. */
export const spfDomain = (app: App, { ip, helo, mailFrom }: Sender): Promise<string | null> =>
  mailThreads.small.run(`spf ${networkOf(ip)}`, 'spfDomain', () => ({
    args: [app.config.mailHost, { ip, helo, mailFrom }],
    answer: lookUp(app),
  }))

/** The thread gets a copy: these bytes are still to be stored. */
const mailJob = <Args extends unknown[]>(
  app: App,
  raw: Buffer,
  args: (copy: Uint8Array) => Args,
): Given<Args, Question, Answer> => {
  const copy = new Uint8Array(raw)
  return { args: args(copy), transfer: [copy.buffer], answer: lookUp(app) }
}

const lookUp =
  (app: App) =>
  async ({ name, type }: Question): Promise<Answer> => {
    try {
      return { records: await answerCache(app)(name, type) }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'ESERVFAIL'
      return { code, message: String(error) }
    }
  }

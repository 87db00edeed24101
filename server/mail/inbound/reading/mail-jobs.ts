/** What is read of a mail that comes in. Strangers wrote all of it, so it runs on a thread that can be ended. */
import { spf } from 'mailauth'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import { readingJobs } from '#server/standards/reading/reading-jobs.ts'
import type { Resolver } from '../sender/answer-cache.ts'
import { authenticateMessage, forShownAuthor } from '../sender/authenticate-message.ts'
import type { Sender, Verdict } from '../sender/verdict.ts'

export type ReadMail = { digest: MessageDigest | 'too-deep'; verdict: Verdict }
type Author = { address: string } | null

/** Each with what it answers. */
export type MailJobs = {
  all: (job: { raw: Uint8Array; sender: Sender }) => ReadMail
  digest: (job: { raw: Uint8Array }) => MessageDigest | 'too-deep'
  digestOfHeader: (job: { raw: Uint8Array }) => MessageDigest
  verdict: (job: { raw: Uint8Array; sender: Sender }) => Verdict
  shownAuthor: (job: { verdict: Verdict; shown: Author }) => Verdict
  /** The domain that may send from there; null when SPF does not pass. */
  spfDomain: (job: { sender: Sender }) => string | null
}

type Does = {
  [Name in keyof MailJobs]: (
    job: Parameters<MailJobs[Name]>[0],
  ) => Promise<ReturnType<MailJobs[Name]>>
}

export const mailJobs = (mailHost: string, resolve: Resolver): Does => {
  const checking = { mailHost, resolve }
  const jobs: Does = {
    all: async ({ raw, sender }) => {
      const digest = await jobs.digest({ raw })
      const verdict = await jobs.verdict({ raw, sender })
      if (digest === 'too-deep') return { digest, verdict }
      return { digest, verdict: await jobs.shownAuthor({ verdict, shown: digest.from }) }
    },
    digest: ({ raw }) => readingJobs.digest(raw),
    digestOfHeader: ({ raw }) => readingJobs.digestOfHeader(raw),
    verdict: ({ raw, sender }) =>
      authenticateMessage(
        checking,
        Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength),
        sender,
      ),
    shownAuthor: ({ verdict, shown }) => forShownAuthor(checking, verdict, shown),
    spfDomain: async ({ sender: { ip, helo, mailFrom } }) => {
      const result = await spf({ ip, helo, sender: mailFrom, mta: mailHost, resolver: resolve })
      return result.status.result === 'pass' ? result.domain.toLowerCase() : null
    },
  }
  return jobs
}

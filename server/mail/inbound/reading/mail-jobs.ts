/** The parsing and checking of incoming mail. All of it is untrusted, so it runs on a thread that can be ended. */
import { spf } from 'mailauth'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import { readingJobs } from '#server/standards/reading/reading-jobs.ts'
import type { Resolver } from '../sender/answer-cache.ts'
import { authenticateMessage, verdictForShownAuthor } from '../sender/authenticate-message.ts'
import type { Sender, Verdict } from '../sender/verdict.ts'

export type ReadMail = { digest: MessageDigest | 'too-deep'; verdict: Verdict }
type Author = { address: string } | null

/** What a job asks of DNS. An error keeps no code on its way between threads. */
export type Question = { name: string; type: string }
export type Answer = { records: unknown[] } | { code: string; message: string }

export type MailJobs = ReturnType<typeof mailJobs>

export const mailJobs = (resolve: Resolver) => {
  const jobs = {
    all: async (raw: Uint8Array, mailHost: string, sender: Sender): Promise<ReadMail> => {
      const digest = await jobs.digest(raw)
      const verdict = await jobs.verdict(raw, mailHost, sender)
      if (digest === 'too-deep') return { digest, verdict }
      return { digest, verdict: await jobs.shownAuthor(verdict, mailHost, digest.from) }
    },
    digest: readingJobs.digestBeforeTrace,
    digestOfHeader: readingJobs.digestOfHeader,
    verdict: (raw: Uint8Array, mailHost: string, sender: Sender): Promise<Verdict> =>
      authenticateMessage(
        { mailHost, resolve },
        Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength),
        sender,
      ),
    shownAuthor: (verdict: Verdict, mailHost: string, shown: Author): Promise<Verdict> =>
      verdictForShownAuthor({ mailHost, resolve }, verdict, shown),
    /** The domain that SPF allows to send from this address; null when SPF does not pass. */
    spfDomain: async (mailHost: string, { ip, helo, mailFrom }: Sender): Promise<string | null> => {
      const result = await spf({ ip, helo, sender: mailFrom, mta: mailHost, resolver: resolve })
      return result.status.result === 'pass' ? result.domain.toLowerCase() : null
    },
  }
  return jobs
}

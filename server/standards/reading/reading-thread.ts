/** The thread on which large messages are read. */
import { ownBuffers } from '#server/lib/shared-thread/own-buffers.ts'
import { serveJobs } from '#server/lib/shared-thread/serve-jobs.ts'
import type { OpenedAttachment } from './opened-message.ts'
import { type ReadingJob, readingJobs } from './reading-jobs.ts'

const isAttachment = (result: unknown): result is OpenedAttachment =>
  typeof result === 'object' &&
  result !== null &&
  'content' in result &&
  result.content instanceof Uint8Array

const done = (job: ReadingJob): Promise<unknown> => {
  switch (job.read) {
    case 'digest':
      return readingJobs.digest(job.raw)
    case 'opened':
      return readingJobs.opened(job.raw)
    case 'attachment':
      return readingJobs.attachment(job.raw, job.n)
    case 'twin-of-html':
      return readingJobs.twinOfHtml(job.html)
  }
}

serveJobs<ReadingJob, { result: unknown }, never, never>(
  async (job) => ({ result: await done(job) }),
  ({ result }) => (isAttachment(result) ? ownBuffers([result.content]) : []),
)

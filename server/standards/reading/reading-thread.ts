/** The thread on which large messages are read. */
import { serveJobs } from '#server/lib/shared-thread/serve-jobs.ts'
import { type ReadingJob, readingJobs } from './reading-jobs.ts'

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

serveJobs<ReadingJob, { result: unknown }, never, never>(async (job) => ({
  result: await done(job),
}))

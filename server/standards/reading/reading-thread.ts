/** The thread on which large messages are read. */
import { parentPort } from 'node:worker_threads'
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

parentPort?.on('message', (job: ReadingJob) => {
  void done(job).then((result) => parentPort?.postMessage({ result }))
})

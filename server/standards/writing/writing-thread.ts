/** The worker thread that writes large messages. */
import { serveJobs } from '#server/lib/threads/serve-jobs.ts'
import { writingJobs } from './write-and-sign.ts'

serveJobs(() => writingJobs)

/** The worker thread that parses large messages. */
import { serveJobs } from '#server/lib/threads/serve-jobs.ts'
import { readingJobs } from './reading-jobs.ts'

serveJobs(() => readingJobs)

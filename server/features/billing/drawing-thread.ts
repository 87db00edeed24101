/** The worker thread that draws invoices. */
import { serveJobs } from '#server/lib/threads/serve-jobs.ts'
import { drawInvoice } from './draw-invoice.ts'

const jobs = { draw: drawInvoice }
export type DrawingJobs = typeof jobs

serveJobs(() => jobs)

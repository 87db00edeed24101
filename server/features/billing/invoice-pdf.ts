/**
 * The PDF file of an invoice. It is drawn on a thread, where workspaces take turns: the library and its fonts take half a second
 * to load, and an invoice of a thousand domains several seconds to draw (decision 061).
 */
import type { InvoiceDocument } from '#contract/billing.ts'
import { bufferOf } from '#server/lib/threads/own-buffers.ts'
import { openThreads } from '#server/lib/threads/threads.ts'
import type { DrawingJobs } from './drawing-thread.ts'

const threads = openThreads<DrawingJobs>(new URL('./drawing-thread.ts', import.meta.url), {
  stallMs: 30_000,
  idleMs: 30_000,
})

export const invoicePdf = async (
  workspaceId: string,
  invoice: InvoiceDocument,
): Promise<Buffer> => {
  const drawn = await threads.run(workspaceId, 'draw', () => ({ args: [invoice] }))
  if (drawn === null) throw new Error(`invoice ${invoice.number} could not be drawn in time`)
  return bufferOf(drawn)
}

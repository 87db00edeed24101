/** The thread on which large messages are written. */
import { serveJobs } from '#server/lib/shared-thread/serve-jobs.ts'
import { type WritingJob, writingJobs } from './writing-jobs.ts'

/** Bytes come as plain ones. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

const done = async (job: WritingJob): Promise<Buffer> => {
  if (job.write === 'mbox')
    return writingJobs.mbox({ ...job.message, raw: bufferOf(job.message.raw) })
  const attachments = (job.message.attachments ?? []).map((file) => ({
    ...file,
    content: bufferOf(file.content),
  }))
  return writingJobs.message({ ...job.message, attachments }, job.signing)
}

serveJobs<WritingJob, { result: Uint8Array }, never, never>(async (job) => ({
  result: await done(job),
}))

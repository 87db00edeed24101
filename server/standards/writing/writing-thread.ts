/** The thread on which large messages are written. */
import { ownBuffers } from '#server/lib/shared-thread/own-buffers.ts'
import { serveJobs } from '#server/lib/shared-thread/serve-jobs.ts'
import { type WritingJob, writeAndSign } from './write-and-sign.ts'

/** Bytes come as plain ones. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

const done = ({ message, signing }: WritingJob): Promise<Buffer> => {
  const attachments = (message.attachments ?? []).map((file) => ({
    ...file,
    content: bufferOf(file.content),
  }))
  return writeAndSign({ ...message, attachments }, signing)
}

serveJobs<WritingJob, { result: Uint8Array }, never, never>(
  async (job) => ({ result: await done(job) }),
  ({ result }) => ownBuffers([result]),
)

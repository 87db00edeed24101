import { uploadFile } from '#contract/mail/writing.ts'
import { callWithProgress } from '#web/lib/api/call-with-progress.ts'
import { base64Of, safeContentType, safeFilename } from './attached-files.ts'

/** Uploads a file for messages of this mailbox; answers its `_id`. */
export const uploadsTo =
  (mailboxId: string) =>
  async (
    blob: Blob,
    name: string,
    options: { signal: AbortSignal; onProgress: (part: number) => void },
  ): Promise<string> => {
    const content = await base64Of(blob)
    const body = { filename: safeFilename(name), contentType: safeContentType(blob.type), content }
    return (await callWithProgress(uploadFile, { params: { id: mailboxId }, body }, options))._id
  }

/**
 * Shows a PDF in a tab of its own, by the viewer of the browser: a program in its own box, without a way to this page.
 * Only bytes that are a PDF are given to it, and under no other type, so no browser can take them for a page of ours.
 */
import { UserFacingError } from '#web/lib/api/api-error.ts'
import { type Attachment, readAttachment } from '../attachment-files.ts'

/** The viewer has read it by then. */
const KEPT_MS = 120_000
/** A header may come after some other bytes. */
const HEADER_WITHIN_BYTES = 1024

/** @throws UserFacingError when it is no PDF, or the browser opens no tab. */
export async function openPdf(
  mailboxId: string,
  messageId: string,
  { n }: Attachment,
): Promise<void> {
  const blob = await readAttachment(mailboxId, messageId, n)
  const start = await blob.slice(0, HEADER_WITHIN_BYTES).text()
  if (!start.includes('%PDF-')) throw new UserFacingError('It is named a PDF, but it is not one.')
  const url = URL.createObjectURL(new Blob([blob], { type: 'application/pdf' }))
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
  const tab = window.open(url, '_blank')
  if (!tab)
    throw new UserFacingError('The browser blocked the new tab. Please download it instead.')
  tab.opener = null
}

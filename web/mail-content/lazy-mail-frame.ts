/** The frame for HTML mail, with what sanitises it: most of what reading needs, and nothing of the first page. */
import { lazyPart } from '#web/lib/fetch-part.ts'

export const MailFrame = lazyPart(async () => (await import('./mail-frame.tsx')).MailFrame)

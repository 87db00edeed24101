/** What an import has done, in words. */
import type { MailImport } from '#contract/mail/transfer.ts'
import { formatCount } from '#web/lib/format.ts'

/** Something changes by itself. */
export const isGoingOn = (latest: MailImport | undefined): boolean =>
  latest?.state === 'running' || latest?.state === 'uploading'

export const isOpen = (latest: MailImport | undefined): boolean =>
  isGoingOn(latest) || latest?.state === 'stopped'

type Counts = Pick<MailImport, 'filed' | 'skipped' | 'failed'>

export const resultWords = ({ filed, skipped, failed }: Counts): string => {
  const imported = `${formatCount(filed)} ${filed === 1 ? 'message' : 'messages'} imported`
  const here = `${formatCount(skipped)} ${skipped === 1 ? 'was' : 'were'} here already or deleted in the file`
  const broken = `${formatCount(failed)} could not be imported`
  return `${[imported, skipped > 0 && here, failed > 0 && broken].filter(Boolean).join(', ')}.`
}

/** Of the file: the same name, size and time of change are the same file. */
export const fingerprintOf = (file: File): string => String(file.lastModified)

export const isSameFile = (file: File, { filename, size, fingerprint }: MailImport): boolean =>
  file.name === filename && file.size === size && fingerprintOf(file) === fingerprint

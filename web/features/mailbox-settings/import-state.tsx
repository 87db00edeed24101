import {
  cancelImport,
  MAX_IMPORT_FAULTS,
  type MailImport,
  resumeImport,
} from '#contract/mail/transfer.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { formatBytes, formatCount } from '#web/lib/format.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { Progress } from '#web/ui/data/progress.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { resultWords, type Upload } from './use-upload.ts'

type ImportStateProps = {
  mailbox: Mailbox
  latest: MailImport
  upload: Upload
  onChoose: () => void
}

export function ImportState({ mailbox, latest, upload, onChoose }: ImportStateProps) {
  const { state, filename, size, received, read } = latest
  const { cancel, resume } = useSteering(mailbox, latest)
  const end = () => {
    upload.stop()
    cancel()
  }
  const isLeft = state === 'uploading' && !upload.isSending
  return (
    <div className="grid gap-2 rounded-xl bg-hover px-3.5 py-3 text-sm">
      <p role="status" className="wrap-anywhere">
        <span className="font-medium">{filename}</span>{' '}
        <span className="text-soft tabular-nums">{wordsOf(latest, upload)}</span>
      </p>
      {state === 'uploading' && <Progress label="Upload" percent={(100 * received) / size} />}
      {state === 'running' && <Progress label="Import" percent={(100 * read) / size} />}
      {latest.faults.length > 0 && <Faults latest={latest} />}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {isLeft && (
          <Button size="small" onClick={onChoose}>
            Choose the same file
          </Button>
        )}
        {state === 'stopped' && (
          <Button size="small" onClick={resume}>
            Try again
          </Button>
        )}
        {['uploading', 'running', 'stopped'].includes(state) && (
          <Button size="small" variant="secondary" onClick={end}>
            End import
          </Button>
        )}
      </div>
    </div>
  )
}

const wordsOf = (latest: MailImport, { isSending, waitsFor }: Upload): string => {
  const { state, size, received, reason } = latest
  switch (state) {
    case 'uploading':
      if (waitsFor === 'offline') return 'waits for the connection, and goes on by itself.'
      if (waitsFor !== null) return 'waits for the server, and goes on by itself.'
      return isSending
        ? `is uploaded: ${formatBytes(received)} of ${formatBytes(size)}.`
        : `stopped at ${formatBytes(received)} of ${formatBytes(size)}. Choose the same file to go on.`
    case 'running':
      return `is imported: ${resultWords(latest)} You may leave this page.`
    case 'stopped':
      return `stopped: ${reason}. ${resultWords(latest)}`
    case 'cancelled':
      return `was ended. ${resultWords(latest)}`
    case 'done':
      return `is done: ${resultWords(latest)}`
  }
}

function Faults({ latest: { faults, failed } }: { latest: MailImport }) {
  return (
    <div>
      <Disclosure label="What could not be imported">
        <ul className="mt-1 grid gap-1 text-xs">
          {faults.map(({ n, subject, reason }) => (
            <li key={n} className="wrap-anywhere">
              Message {formatCount(n)}
              {subject && ` (${subject})`}: {reason}.
            </li>
          ))}
        </ul>
        {failed > MAX_IMPORT_FAULTS && (
          <p className="mt-1 text-soft text-xs">And {formatCount(failed - faults.length)} more.</p>
        )}
      </Disclosure>
    </div>
  )
}

function useSteering(mailbox: Mailbox, { _id }: MailImport) {
  const options = {
    onError: (error: unknown) => toastError(messageOf(error)),
  }
  const cancel = useCall(cancelImport, options)
  const resume = useCall(resumeImport, options)
  const params = { id: mailbox._id, importId: _id }
  return { cancel: () => cancel.mutate({ params }), resume: () => resume.mutate({ params }) }
}

/** The message as it arrived: results of the checks, header fields and source. */
import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { saveAs } from '#web/lib/save-as.ts'
import { readSource } from '#web/mail-content/attachment-files.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { ScrollRegion } from '#web/ui/data/scroll-region.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { checkWords } from './authentication-words.ts'

/** Characters that are shown. Longer sources can be downloaded: a browser lays out megabytes slowly. */
const SHOWN_LENGTH = 200_000

type OriginalDialogProps = { mailboxId: string; message: Message; onClose: () => void }

export function OriginalDialog({ mailboxId, message, onClose }: OriginalDialogProps) {
  const { authentication, headers } = message
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title="Original" size="large">
      <div className="grid grid-cols-1 gap-6">
        {authentication && (
          <section aria-label="Checks" className="grid gap-2">
            <Heading>Results of the checks on arrival</Heading>
            <dl className="grid gap-2 text-sm">
              {checkWords(authentication).map(({ name, result, tone, says }) => (
                <div key={name} className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[9rem_1fr]">
                  <dt className="flex items-center gap-2">
                    <span className="w-14 font-medium">{name}</span>
                    <Badge tone={tone}>{result}</Badge>
                  </dt>
                  <dd className="text-soft">{says}</dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        {headers.length > 0 && (
          <div className="grid grid-cols-1 gap-2">
            <Heading>Header</Heading>
            <ScrollRegion
              label="Header"
              className="max-h-72 rounded-xl bg-sunken px-4 py-3 text-xs"
            >
              <dl className="grid grid-cols-1 gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr]">
                {headers.map(({ name, value }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a header may stand there twice, and never changes
                  <div key={index} className="contents">
                    <dt className="wrap-anywhere text-soft sm:max-w-48">{name}</dt>
                    <dd className="wrap-anywhere mb-1 font-mono sm:mb-0">{value}</dd>
                  </div>
                ))}
              </dl>
            </ScrollRegion>
          </div>
        )}
        <Source mailboxId={mailboxId} message={message} />
      </div>
    </Dialog>
  )
}

const Heading = ({ children }: { children: string }) => (
  <h3 className="font-medium text-sm">{children}</h3>
)

/** Loads the message as it is stored. `text`: its beginning. */
function useSource(mailboxId: string, messageId: string) {
  const [source, setSource] = useState<{ blob: Blob; text: string } | null>(null)
  const [problem, setProblem] = useState('')
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try reads it again
  useEffect(() => {
    const stop = new AbortController()
    setProblem('')
    readSource(mailboxId, messageId, stop.signal)
      .then(async (blob) => setSource({ blob, text: await blob.slice(0, SHOWN_LENGTH).text() }))
      .catch((error: unknown) => !stop.signal.aborted && setProblem(messageOf(error)))
    return () => stop.abort()
  }, [mailboxId, messageId, tries])
  return { source, problem, retry: () => setTries(tries + 1) }
}

function Source({ mailboxId, message }: Omit<OriginalDialogProps, 'onClose'>) {
  const { source, problem, retry } = useSource(mailboxId, message._id)
  if (problem !== '')
    return <ErrorState title="The source could not be read" description={problem} onRetry={retry} />
  return (
    <section aria-label="Source" className="grid grid-cols-1 gap-2">
      <div className="flex min-h-8 items-center justify-between gap-2">
        <Heading>Source</Heading>
        {source && (
          <div className="flex items-center gap-1">
            <CopyButton text={source.text} label="Copy the source" />
            <Button
              variant="secondary"
              size="small"
              onClick={() => saveAs(source.blob, 'message.eml')}
            >
              <Download aria-hidden />
              Download
            </Button>
          </div>
        )}
      </div>
      {source ? (
        <>
          <ScrollRegion
            label="Lines of the source"
            className="max-h-96 overflow-x-auto rounded-xl bg-sunken px-4 py-3"
          >
            <pre className="font-mono text-xs leading-5">{source.text}</pre>
          </ScrollRegion>
          {source.blob.size > SHOWN_LENGTH && (
            <p className="text-soft text-xs">
              Only its beginning is shown. Download it for the rest.
            </p>
          )}
        </>
      ) : (
        <div role="status">
          <span className="sr-only">Loading the source</span>
          <Skeleton className="h-48 w-full" />
        </div>
      )}
    </section>
  )
}

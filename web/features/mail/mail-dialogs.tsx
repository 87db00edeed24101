import { Suspense, useEffect } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { formatCount } from '#web/lib/format.ts'
import { loadEditor } from '#web/ui/editor/lazy-editor.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import type { useMail } from './use-mail.ts'

const loadCompose = () => import('./compose/compose-panel.tsx')
const ComposePanel = lazyPart(async () => (await loadCompose()).ComposePanel)

/** Long enough for what is looked at first to be there. */
const FETCH_AHEAD_MS = 1500
/** So that the form opens at once: people type the moment they have pressed Reply. */
const fetchAhead = () => {
  const ahead = [loadCompose(), import('./compose/compose-start.ts'), loadEditor()]
  for (const part of ahead) part.catch(() => undefined)
}

type MailDialogsProps = { mail: ReturnType<typeof useMail>; mailbox: Mailbox }

export function MailDialogs({ mail, mailbox }: MailDialogsProps) {
  const { composing, doomed, setDoomed } = mail
  useEffect(() => {
    const timer = setTimeout(fetchAhead, FETCH_AHEAD_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <Suspense>
        {composing.request && (
          <ComposePanel
            key={composing.request.key}
            mailbox={mailbox}
            request={composing.request}
            ends={composing.ends}
            onOpen={composing.onOpen}
          />
        )}
      </Suspense>
      {mail.isHelpOpen && <ShortcutsDialog onClose={() => mail.setIsHelpOpen(false)} />}
      <ConfirmDialog
        isOpen={doomed !== null}
        onOpenChange={(isOpen) => !isOpen && setDoomed(null)}
        title={
          doomed && doomed.count > 1
            ? `Delete ${formatCount(doomed.count)} for good?`
            : 'Delete this message for good?'
        }
        description={
          doomed && doomed.count > 1
            ? 'They cannot be brought back.'
            : `“${doomed?.subject || '(no subject)'}” cannot be brought back.`
        }
        confirmText="Delete for good"
        onConfirm={() => {
          doomed?.confirm()
          setDoomed(null)
        }}
      />
    </>
  )
}

import { Suspense, useEffect } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { formatCount } from '#web/lib/format.ts'
import { loadEditor } from '#web/ui/editor/lazy-editor.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import type { useMail } from './use-mail.ts'
import { shortcutGroups } from './use-shortcuts.ts'

const loadCompose = () => import('#web/features/compose/compose-panel.tsx')
const ComposePanel = lazyPart(async () => (await loadCompose()).ComposePanel)

/** Long enough for what is looked at first to be there. */
const FETCH_AHEAD_MS = 1500
/** So that the form opens at once: people type the moment they have pressed Reply. */
const fetchAhead = () => {
  const ahead = [loadCompose(), import('#web/features/compose/compose-start.ts'), loadEditor()]
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

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Keyboard shortcuts"
      size="medium"
      isText
    >
      <div className="gap-8 sm:columns-2">
        {shortcutGroups.map(({ title, keys }) => (
          <section key={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-2 font-semibold text-sm">{title}</h3>
            <dl className="grid grid-cols-[6.5rem_1fr] items-center gap-x-4 gap-y-1.5 text-sm">
              {keys.map(([names, does]) => (
                <div key={names} className="contents">
                  <dt>
                    <kbd className="rounded-md border border-line bg-sunken px-2 py-0.5 font-sans text-xs">
                      {names}
                    </kbd>
                  </dt>
                  <dd className="text-soft">{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

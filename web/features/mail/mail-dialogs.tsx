import { Suspense, useEffect } from 'react'
import { RECOVERABLE_DAYS } from '#contract/mail/deleted-messages.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { formatCount } from '#web/lib/format.ts'
import { loadEditor } from '#web/ui/editor/lazy-editor.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import type { PendingDeletion } from './list/mail-verbs.ts'
import { MoveDialog } from './list/move-dialog.tsx'
import { useFileDrop } from './use-file-drop.ts'
import type { useMail } from './use-mail.ts'
import { shortcutGroups } from './use-shortcuts.ts'

const loadCompose = () => import('#web/features/compose/windows/letter-windows.tsx')
const LetterWindows = lazyPart(async () => (await loadCompose()).LetterWindows)

/** Leaves the network to the parts that the reader sees first. Who opened a message answers soon. */
const FETCH_AHEAD_MS = { reading: 500, listing: 10_000 }
/** Loads the compose form early: people type as soon as they have pressed Reply. */
const prefetchCompose = () => {
  const ahead = [loadCompose(), import('#web/features/compose/compose-start.ts'), loadEditor()]
  for (const part of ahead) part.catch(() => undefined)
}

type MailDialogsProps = { mail: ReturnType<typeof useMail>; mailbox: Mailbox }

export function MailDialogs({ mail, mailbox }: MailDialogsProps) {
  const { composing, deletion, setDeletion } = mail
  const isDropping = useFileDrop(composing.attach)
  const aheadMs = FETCH_AHEAD_MS[mail.openId === '' ? 'listing' : 'reading']
  useEffect(() => {
    const timer = setTimeout(prefetchCompose, aheadMs)
    return () => clearTimeout(timer)
  }, [aheadMs])
  return (
    <>
      <Suspense>
        {composing.letters.length > 0 && (
          <LetterWindows
            mailbox={mailbox}
            letters={composing.letters}
            endsOf={composing.endsOf}
            onOpen={composing.onOpen}
            onPlace={composing.place}
            isDropping={isDropping}
          />
        )}
      </Suspense>
      {isDropping && composing.letters.length === 0 && <DropNote />}
      {mail.isHelpOpen && <ShortcutsDialog onClose={() => mail.setIsHelpOpen(false)} />}
      {mail.pendingMove && (
        <MoveDialog
          mailboxId={mailbox._id}
          folders={mail.folders ?? []}
          move={mail.pendingMove}
          onClose={() => mail.setPendingMove(null)}
        />
      )}
      <ConfirmDialog
        isOpen={deletion !== null}
        onOpenChange={(isOpen) => !isOpen && setDeletion(null)}
        {...questionOf(deletion)}
        confirmText="Delete for good"
        onConfirm={() => {
          deletion?.confirm()
          setDeletion(null)
        }}
      />
    </>
  )
}

/** Over the page while no letter is open: files that are dropped begin one. */
function DropNote() {
  return (
    <p className="pointer-events-none fixed inset-3 z-40 grid place-items-center rounded-2xl border-2 border-accent border-dashed bg-surface/85 font-medium text-accent-ink">
      Drop files to attach
    </p>
  )
}

const RECOVERABLE = `can be recovered in Trash for ${RECOVERABLE_DAYS} days.`

function questionOf(deletion: PendingDeletion | null) {
  const { count = 1, subject = null, emptied } = deletion ?? {}
  if (emptied)
    return {
      title: `Empty ${emptied}?`,
      description: `${count === 1 ? 'Its message is' : `Its ${formatCount(count)} messages are`} deleted for good. ${count === 1 ? 'It' : 'They'} ${RECOVERABLE}`,
    }
  return count > 1
    ? { title: `Delete ${formatCount(count)} for good?`, description: `They ${RECOVERABLE}` }
    : {
        title: 'Delete this message for good?',
        description: `“${subject || '(no subject)'}” ${RECOVERABLE}`,
      }
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

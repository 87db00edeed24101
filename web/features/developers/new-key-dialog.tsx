/** Makes an API key and shows it, this once. */
import { useState } from 'react'
import type { KeyKind, MadeApiKey } from '#contract/developers/api-keys.ts'
import { API_PREFIX } from '#contract/route.ts'
import { useHolder } from '#web/lib/api/use-can.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CopyField } from '#web/ui/form/copy-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { KeyForm } from './key-form.tsx'

const FORM = 'api-key'

const LEAVING = {
  title: 'Close without the key?',
  description:
    'You have not copied it. Once this is closed nobody can see it again: you would have to make a new one.',
  confirmText: 'Close without it',
}

const descriptions: Record<KeyKind, string> = {
  workspace: 'For a program of the workspace. Every Admin sees it and can end it.',
  person: 'For a program of yours. Only you see it.',
}

export function NewKeyDialog({ kind, onClose }: { kind: KeyKind; onClose: () => void }) {
  const [made, setMade] = useState<MadeApiKey | null>(null)
  const [isPending, setIsPending] = useState(false)
  const [isSeen, setIsSeen] = useState(false)
  const unsaved = useUnsavedChanges(made !== null && !isSeen, onClose, LEAVING)
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && (made || !isPending) && unsaved.requestClose()}
        size="large"
        title={made ? `API key for ${made.name}` : 'New API key'}
        description={made ? 'Copy it now. It is not shown again.' : descriptions[kind]}
        footer={
          made ? (
            <Button variant="secondary" onClick={unsaved.leave}>
              Done
            </Button>
          ) : (
            <>
              <Button variant="secondary" disabled={isPending} onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" form={FORM} isPending={isPending}>
                {isPending ? 'Making it...' : 'Make API key'}
              </Button>
            </>
          )
        }
      >
        {made ? (
          <MadeKey made={made} onCopied={() => setIsSeen(true)} />
        ) : (
          <KeyForm id={FORM} kind={kind} onMade={setMade} onPending={setIsPending} />
        )}
      </Dialog>
      {unsaved.question}
    </>
  )
}

const WITH_MEMBERSHIP = 'It ends by itself when you leave the workspace or get a lower role.'
const WITH_ACCESS = 'It ends by itself when the mailbox is taken back from you.'

/** It cannot be shown again: the server keeps only its hash. */
function MadeKey({ made: { key }, onCopied }: { made: MadeApiKey; onCopied: () => void }) {
  const isHolder = useHolder() !== null
  const call = `curl -H 'Authorization: Bearer ${key}' ${window.location.origin}${API_PREFIX}/key`
  return (
    <div className="grid gap-5">
      <CopyField text={key} label="Key" onCopied={onCopied} />
      <ul className="grid list-disc gap-1.5 pl-4 text-soft text-sm">
        <li>Keep it like a password: whoever has it can do what it may do.</li>
        <li>If it is lost or seen by somebody else, end it and make another.</li>
        <li>{isHolder ? WITH_ACCESS : WITH_MEMBERSHIP}</li>
      </ul>
      <div className="grid gap-1.5">
        <h3 className="font-medium text-sm">Your first call</h3>
        <pre className="wrap-anywhere whitespace-pre-wrap rounded-control border border-line bg-sunken p-3 font-mono text-xs">
          {call}
        </pre>
      </div>
    </div>
  )
}

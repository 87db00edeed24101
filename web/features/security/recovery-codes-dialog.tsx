/** Recovery codes, shown this once: to copy, to save, to write down. */
import { Check, Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { datedName, saveAs } from '#web/lib/save-as.ts'
import { Button } from '#web/ui/form/button.tsx'
import { copyText } from '#web/ui/form/copy-button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

const LEAVING = {
  title: 'Close without the codes?',
  description:
    'You have neither copied nor saved them. Once this is closed nobody can see them again: you would have to make new ones.',
  confirmText: 'Close without them',
}

type RecoveryCodesDialogProps = {
  codes: readonly string[]
  /** They came with the first factor. */
  isFirst: boolean
  onClose: () => void
}

export function RecoveryCodesDialog({ codes, isFirst, onClose }: RecoveryCodesDialogProps) {
  const [state, setState] = useState<'new' | 'copied' | 'saved' | 'failed'>('new')
  const isKept = state === 'copied' || state === 'saved'
  const unsaved = useUnsavedChanges(!isKept, onClose, LEAVING)
  const text = codes.join('\n')
  const copy = () =>
    copyText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    )
  const save = () => {
    const about = `Recovery codes of ${location.host}. Each works once.\n\n${text}\n`
    saveAs(new Blob([about]), datedName('recovery-codes', 'txt'))
    setState('saved')
  }
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && unsaved.requestClose()}
        title="Keep your recovery codes"
        description="Each of them signs you in once when your phone or passkey is lost. They are shown only now."
        footer={
          <Button variant="secondary" onClick={unsaved.requestClose}>
            Done
          </Button>
        }
      >
        {isFirst && (
          <p className="mb-4 text-sm">
            All other browsers and devices were signed out: there you sign in anew.
          </p>
        )}
        <ul
          aria-label="Recovery codes"
          className="grid gap-x-6 gap-y-1.5 rounded-card border border-line bg-sunken px-4 py-3 font-mono text-sm sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="mt-4 flex flex-wrap gap-2">
          <Button onClick={copy} className="max-sm:w-full">
            {state === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
            {state === 'copied' ? 'Copied' : 'Copy the codes'}
          </Button>
          <Button variant="secondary" onClick={save} className="max-sm:w-full">
            <Download aria-hidden />
            Save as a file
          </Button>
        </div>
        <p role="status" className={state === 'failed' ? 'mt-2 text-bad text-xs' : 'sr-only'}>
          {state === 'failed' && 'Copying is not allowed here. Save them as a file.'}
          {state === 'copied' && 'Copied'}
          {state === 'saved' && 'Saved'}
        </p>
      </Dialog>
      {unsaved.question}
    </>
  )
}

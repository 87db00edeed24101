/** What the installation knows of the person, as a file that they save with their password. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { exportAccount } from '#contract/account/leaving.ts'
import { open } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { datedName, saveAs } from '#web/lib/save-as.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { PasswordField } from '#web/ui/form/password-input.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

export function OwnDataCard() {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Card>
      <section
        aria-label="Your data"
        className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4"
      >
        <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
          <h2 className="font-medium text-sm">Your data</h2>
          <p className="text-pretty text-soft text-sm">
            One zip file of your account: your names, sessions, app passwords and rights. Mail
            belongs to mailboxes, and is saved in their settings.
          </p>
        </div>
        <Button variant="secondary" onClick={() => setIsAsking(true)}>
          Export your data
        </Button>
      </section>
      {isAsking && <ExportDialog onClose={() => setIsAsking(false)} />}
    </Card>
  )
}

function ExportDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const save = useMutation({
    mutationFn: async () => {
      const { path, method } = exportAccount
      const file = await open(path, { method, body: JSON.stringify({ password }) })
      saveAs(await file.blob(), datedName('account', 'zip'))
    },
    onSuccess: onClose,
  })
  const field = save.error instanceof ApiError ? save.error.data.password : undefined
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !save.isPending && onClose()}
      title="Export your data?"
      description="The file has no mail, no passwords and no keys."
      confirmText={save.isPending ? 'Exporting...' : 'Export'}
      isPending={save.isPending}
      isDangerous={false}
      isReady={password !== ''}
      onConfirm={() => save.mutate()}
    >
      <div className="mt-4 grid gap-4 text-sm">
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          value={password}
          error={typeof field === 'string' ? field : undefined}
          onChange={({ target }) => setPassword(target.value)}
        />
        {save.error && typeof field !== 'string' && <FormAlert>{messageOf(save.error)}</FormAlert>}
      </div>
    </ConfirmDialog>
  )
}

/** At the end of the settings: deletes the workspace, with its name and the password of the Admin. */
import { useState } from 'react'
import { deleteWorkspace, previewWorkspaceDeletion } from '#contract/deletions.ts'
import type { Workspace } from '#contract/workspaces.ts'
import { DeleteDialog } from '#web/deletions/delete-dialog.tsx'
import { TakeBackButton } from '#web/deletions/take-back-button.tsx'
import { useWorkspace } from '#web/deletions/workspace-end.tsx'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatDate } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Card } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { PasswordField } from '#web/ui/form/password-input.tsx'

export function DeleteWorkspaceCard() {
  const workspace = useWorkspace()
  const [isAsking, setIsAsking] = useState(false)
  if (!workspace) return null
  return (
    <Card>
      <section
        aria-label="Delete this workspace"
        className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4"
      >
        <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
          <h2 className="font-medium text-sm">Delete this workspace</h2>
          <p className="wrap-anywhere text-pretty text-soft text-sm">
            {workspace.endsAt === null ? (
              'It ends after 14 days, with its domains, mailboxes and all of their mail. Until then everything works, and it can be taken back.'
            ) : (
              <>
                It was deleted, and ends on <LocalTime at={workspace.endsAt} format={formatDate} />.
              </>
            )}
          </p>
        </div>
        {workspace.endsAt === null ? (
          <Button variant="quiet" className="-mx-3.5" onClick={() => setIsAsking(true)}>
            Delete workspace
          </Button>
        ) : (
          <TakeBackButton id={workspace._id} name={workspace.name} isAllowed />
        )}
      </section>
      {isAsking && (
        <DeleteWorkspaceDialog workspace={workspace} onClose={() => setIsAsking(false)} />
      )}
    </Card>
  )
}

type DialogProps = { workspace: Workspace; onClose: () => void }

function DeleteWorkspaceDialog({ workspace: { _id: id, name }, onClose }: DialogProps) {
  const params = { id }
  const [password, setPassword] = useState('')
  const deletion = useApi(previewWorkspaceDeletion, { params }, { staleTime: 0 })
  const remove = useCall(deleteWorkspace, {
    onSuccess: ({ endsAt }) => {
      onClose()
      toast({
        title: 'Workspace deleted',
        description: `${name} ends on ${formatDate(endsAt)}. It can be taken back until then.`,
        variant: 'success',
      })
    },
  })
  const wrong = remove.error?.data.password
  const field = typeof wrong === 'string' ? wrong : undefined
  return (
    <DeleteDialog
      name={name}
      deletion={deletion}
      lost={() =>
        'Its domains, its mailboxes and all of their mail are deleted; invoices are kept. Until its end everything works as before, and nothing new is billed. Every Admin gets a mail about it.'
      }
      save={
        <p className="text-soft">
          To keep its mail and its lists, export everything first: the file is made on this page.
        </p>
      }
      confirmText="Delete workspace"
      isPending={remove.isPending}
      isReady={password !== ''}
      onConfirm={(typed) => remove.mutate({ params, body: { name: typed, password } })}
      onClose={onClose}
    >
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        value={password}
        error={field}
        onChange={({ target }) => setPassword(target.value)}
      />
      {remove.error && field === undefined && <FormAlert>{messageOf(remove.error)}</FormAlert>}
    </DeleteDialog>
  )
}

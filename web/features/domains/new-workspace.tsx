import { useState } from 'react'
import { createWorkspace, listWorkspaces, switchWorkspace } from '#contract/workspaces.ts'
import { chosenWorkspace } from '#web/lib/api/access-token.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'

type NewWorkspaceProps = { onMade: (id: string) => void }

/** Where there is no other workspace to move to: makes one, and stays in this one. */
export function NewWorkspace({ onMade }: NewWorkspaceProps) {
  const workspaces = useApi(listWorkspaces, {})
  const [name, setName] = useState('')
  const make = useCall(createWorkspace, { onSuccess: ({ _id }) => onMade(_id) })
  const here = workspaces.data?.find(({ isCurrent }) => isCurrent)?._id
  const submit = () => {
    if (here === undefined || make.isPending || name.trim() === '') return
    // The server makes the new workspace the current one: this tab stays where the domain is.
    chosenWorkspace.choose(chosenWorkspace.read() ?? here)
    make.mutate(
      { body: { name: name.trim() } },
      { onSuccess: () => void call(switchWorkspace, { params: { id: here } }).catch(() => {}) },
    )
  }
  return (
    <div className="grid gap-3 text-sm">
      <p className="text-pretty">
        You are Admin of no other workspace yet. Make one here, for example for this client: you
        become its Admin, and can invite others later.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-48">
          <Field
            label="Name of the new workspace"
            {...(make.error && { error: messageOf(make.error) })}
          >
            {(control) => (
              <Input
                {...control}
                value={name}
                autoComplete="off"
                onChange={({ target }) => setName(target.value)}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return
                  event.preventDefault()
                  submit()
                }}
              />
            )}
          </Field>
        </div>
        <Button
          variant="secondary"
          disabled={name.trim() === '' || here === undefined}
          isPending={make.isPending}
          onClick={submit}
        >
          Create workspace
        </Button>
      </div>
    </div>
  )
}

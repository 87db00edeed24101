import { useState } from 'react'
import { giveMailbox, type MailboxReader } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { listMembers } from '#contract/workspaces.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Combobox } from '#web/ui/form/combobox.tsx'
import { Field } from '#web/ui/form/field.tsx'

type GiveFormProps = { mailbox: Mailbox; readers: readonly MailboxReader[] }

/** Lets a member of the workspace read the mailbox. Whoever made it is offered too: given, the right stays. */
export function GiveForm({ mailbox, readers }: GiveFormProps) {
  const members = useApi(listMembers, {})
  const [userId, setUserId] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const give = useCall(giveMailbox, {
    onSuccess: ({ name }) => {
      setUserId('')
      toast({
        title: 'Mailbox given',
        description: `${name} reads ${mailbox.email}.`,
        variant: 'success',
      })
    },
    onError: (error) => setRefusal(messageOf(error)),
  })
  const has = new Set(readers.filter(({ how }) => how !== 'made').map(({ _id }) => _id))
  const options = (members.data ?? [])
    .filter(({ _id }) => !has.has(_id))
    .map(({ _id, name, email, role }) => ({ value: _id, label: `${name} (${email}), ${role}` }))
  if (members.data && options.length === 0)
    return <p className="text-soft text-sm">Everybody in the workspace already reads it.</p>
  return (
    <form
      noValidate
      className="flex flex-wrap items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        setRefusal(userId === '' ? 'Please choose a person' : undefined)
        if (userId !== '') give.mutate({ params: { id: mailbox._id }, body: { userId } })
      }}
    >
      <Field
        label="Give it to"
        className="min-w-0 flex-1 basis-64"
        error={refusal ?? members.error?.message}
        hint="Members of the workspace. It is logged, and the holder sees it."
      >
        {(control) => (
          <Combobox
            {...control}
            label="Members"
            placeholder="Choose a person"
            value={userId}
            onValueChange={(next) => {
              setUserId(next)
              setRefusal(undefined)
            }}
            options={options}
            disabled={!members.data}
          />
        )}
      </Field>
      <Button
        type="submit"
        variant="secondary"
        isPending={give.isPending}
        className="max-sm:w-full sm:mt-6.5"
      >
        Give
      </Button>
    </form>
  )
}

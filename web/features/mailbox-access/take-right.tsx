/** In place of somebody's mail, to an Admin who was not given it: what it takes to read it, and who learns of that. */
import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { takeForm, takeRight } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'

type TakeRightProps = {
  mailbox: Mailbox /** One that is theirs to read. */
  otherId: string | undefined
}

export function TakeRight({ mailbox, otherId }: TakeRightProps) {
  const [reason, setReason] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const take = useCall(takeRight, {
    onSuccess: () => {
      toast({ title: 'You read this mailbox now', description: mailbox.email, variant: 'success' })
    },
    onError: (error) => setRefusal(messageOf(error)),
  })
  const submit = () => {
    const form = takeForm.safeParse({ reason })
    setRefusal(form.error?.issues[0]?.message)
    if (form.success) take.mutate({ params: { id: mailbox._id }, body: form.data })
  }
  return (
    <form
      noValidate
      className="flex min-h-0 flex-1 overflow-y-auto p-6"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="m-auto grid w-full max-w-lg gap-5">
        <span className="grid size-12 place-items-center rounded-2xl border border-line bg-sunken text-soft">
          <EyeOff className="size-5" aria-hidden />
        </span>
        <div className="grid gap-2 text-sm">
          <h2 className="wrap-anywhere font-semibold text-lg tracking-tight">
            {mailbox.email} is not yours to read
          </h2>
          <p className="text-soft">
            Reading somebody’s mail is a right of its own. As an Admin you may take it. Then this is
            logged for good:
          </p>
          <ul className="grid list-disc gap-1 pl-5 text-soft">
            <li>that you took the right to read this mailbox, when, and the reason you give;</li>
            <li>later, that you gave it back.</li>
          </ul>
          <p className="text-soft">
            Its holder sees that in the settings of the mailbox, with your name, and so does every
            Admin of the workspace.
          </p>
        </div>
        <Field label="Reason" hint="Optional. The holder reads it." error={refusal}>
          {(control) => (
            <Input
              {...control}
              value={reason}
              autoComplete="off"
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" isPending={take.isPending}>
            {take.isPending ? 'Taking the right...' : 'Take the right and read'}
          </Button>
          <Button asChild variant="secondary">
            <Link to={otherId ? paths.viewMail({ mailbox: otherId }) : paths.mailboxes()}>
              {otherId ? 'Open another mailbox' : 'See all mailboxes'}
            </Link>
          </Button>
        </div>
      </div>
    </form>
  )
}

/** Shown to an Admin without the right to read this mailbox: how to take the right, and who is notified. */
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
import { InputField } from '#web/ui/form/field.tsx'

type TakeRightProps = {
  mailbox: Mailbox
  /** Id of a mailbox that the user may read. */
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
      method="post"
      noValidate
      className="flex min-h-0 flex-1 overflow-y-auto p-6"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="m-auto grid w-full max-w-lg gap-5">
        <Explanation email={mailbox.email} />
        <InputField
          label="Reason"
          hint="Optional. The holder reads it."
          error={refusal}
          value={reason}
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
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

function Explanation({ email }: { email: string }) {
  return (
    <>
      <span className="grid size-12 place-items-center rounded-2xl border border-line bg-sunken text-soft">
        <EyeOff className="size-5" aria-hidden />
      </span>
      <div className="grid gap-2 text-sm">
        <h2 className="wrap-anywhere font-semibold text-lg tracking-tight">
          {email} is not yours to read
        </h2>
        <p className="text-soft">
          Reading another person’s mail needs a separate right. As an Admin you may take it. Then
          this is logged permanently:
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
    </>
  )
}

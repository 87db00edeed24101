/** For a person who leaves: ends their sign-in, gives the mailbox to a colleague and answers senders, in one step. */
import { type FormEvent, useState } from 'react'
import { handOver, type PersonToGive } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { endOfDay } from '#web/lib/time/end-of-day.ts'
import { toast } from '#web/lib/toast-store.ts'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, inputStyle } from '#web/ui/form/field.tsx'
import { LastDayField } from '#web/ui/form/last-day-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { PersonField } from './give-form.tsx'

const FORM = 'hand-over'

type HandOverDialogProps = { mailbox: Mailbox; hasHolder: boolean; onClose: () => void }

export function HandOverDialog({ mailbox, hasHolder, onClose }: HandOverDialogProps) {
  const [person, setPerson] = useState<PersonToGive | null>(null)
  const [lastDay, setLastDay] = useState('')
  const [replyText, setReplyText] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const hand = useCall(handOver, {
    onSuccess: ({ name }) => {
      const description = `${name} reads ${mailbox.email}.`
      toast({ title: 'Mailbox handed over', description, variant: 'success' })
      onClose()
    },
    onError: (error) => setRefusal(messageOf(error)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setRefusal(person === null ? 'Please choose a person' : undefined)
    if (person === null) return
    const body = { userId: person._id, endsAt: endOfDay(lastDay), replyText }
    hand.mutate({ params: { id: mailbox._id }, body })
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !hand.isPending && onClose()}
      size="medium"
      title={`Hand over ${mailbox.email}`}
      description={
        hasHolder
          ? 'Its holder is signed out everywhere and cannot log in any more. The mail stays, and more arrives.'
          : 'A colleague reads the mail and answers it. The mail stays, and more arrives.'
      }
      footer={
        <>
          <Button variant="secondary" disabled={hand.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={FORM} isPending={hand.isPending}>
            {hand.isPending ? 'Handing over...' : 'Hand over'}
          </Button>
        </>
      }
    >
      <form method="post" id={FORM} noValidate className="grid gap-4" onSubmit={submit}>
        <PersonField
          label="Give it to"
          hint="A member, or a person who signs in to another mailbox of this workspace."
          person={person}
          isOffered={({ email }) => email !== mailbox.email}
          error={refusal}
          onChange={(next) => {
            setPerson(next)
            setRefusal(undefined)
          }}
        />
        <LastDayField
          label="Until (optional)"
          value={lastDay}
          onChange={(event) => setLastDay(event.target.value)}
        />
        <Field
          label="Automatic reply (optional)"
          hint="Senders get it once a week at most. Leave empty to send none."
        >
          {(control) => (
            <textarea
              {...control}
              rows={4}
              maxLength={10_000}
              dir="auto"
              className={cn(inputStyle, 'min-h-24 resize-y py-2')}
              value={replyText}
              onChange={(event) => setReplyText(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}

import { zodResolver } from '@hookform/resolvers/zod'
import { Copy, Mail } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { linkForm, makeAccessLink } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Output } from '#contract/route.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { Field } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'

type LinkFormProps = {
  id: string
  mailbox: Mailbox
  onMade: (made: Output<typeof makeAccessLink>) => Promise<void>
  onPending: (isPending: boolean) => void
}

const mailed = z.object({ email: linkForm.shape.email.unwrap() })

const ways = [
  {
    value: 'copy',
    title: 'Copy the link',
    description: 'It is shown to you once, and you hand it over.',
    icon: Copy,
  },
  {
    value: 'mail',
    title: 'Mail it to a private address',
    description: 'It is shown to nobody else, you included.',
    icon: Mail,
  },
] as const

export function LinkForm({ id, mailbox, onMade, onPending }: LinkFormProps) {
  const [way, setWay] = useState<'copy' | 'mail'>('copy')
  const [refusal, setRefusal] = useState('')
  const form = useForm<z.input<typeof mailed>>({
    resolver: zodResolver(mailed),
    defaultValues: { email: '' },
  })
  const make = async (body: { email?: string }) => {
    setRefusal('')
    onPending(true)
    try {
      await onMade(await call(makeAccessLink, { params: { id: mailbox._id }, body }))
    } catch (error) {
      if (!showFieldErrors(form, error)) setRefusal(messageOf(error))
    } finally {
      onPending(false)
    }
  }
  const submit = way === 'mail' ? form.handleSubmit(make) : () => make({})
  return (
    <form
      id={id}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {refusal && <FormAlert>{refusal}</FormAlert>}
      <RadioCards
        aria-label="How the link gets there"
        value={way}
        onValueChange={setWay}
        cards={ways}
        className="sm:grid-cols-2"
      />
      {way === 'mail' && (
        <Field
          label="Private address"
          required
          hint="Not this mailbox: its owner cannot read it yet."
          error={form.formState.errors.email?.message}
        >
          {(attributes) => (
            <Input
              {...attributes}
              {...form.register('email')}
              type="email"
              inputMode="email"
              autoComplete="off"
            />
          )}
        </Field>
      )}
    </form>
  )
}

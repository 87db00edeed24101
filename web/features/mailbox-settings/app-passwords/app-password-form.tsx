import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import {
  appPasswordForm,
  type MadeAppPassword,
  makeAppPassword,
  type Scope,
} from '#contract/mail/app-passwords.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { endOfDay } from '#web/lib/time/end-of-day.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { LastDayField } from '#web/ui/form/last-day-field.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'

const cards = [
  {
    value: 'both',
    title: 'Reading and sending',
    description: 'Phones, Outlook, Thunderbird',
  },
  { value: 'imap', title: 'Reading only', description: 'Archives, filters' },
  { value: 'smtp', title: 'Sending only', description: 'Printers, web sites' },
] as const

const NAMES = ['Phone', 'Laptop', 'Tablet', 'Work computer']

const schema = z.object({
  name: appPasswordForm.shape.name,
  uses: z.enum(['both', 'imap', 'smtp']),
  lastDay: z.string(),
})
type Values = z.input<typeof schema>

type AppPasswordFormProps = {
  id: string
  mailbox: Mailbox
  onMade: (made: MadeAppPassword) => void
  onPending: (isPending: boolean) => void
}

export function AppPasswordForm({ id, mailbox, onMade, onPending }: AppPasswordFormProps) {
  const [refusal, setRefusal] = useState('')
  const form = useForm<Values>({
    resolver: zodResolver(schema),
    defaultValues: { name: '', uses: 'both', lastDay: '' },
  })
  useKeptValues(`app password of ${mailbox._id}`, form)
  const make = useCall(makeAppPassword, {
    onMutate: () => onPending(true),
    onSettled: () => onPending(false),
    onSuccess: onMade,
    onError: (error) => {
      const { expiresAt } = error.data
      if (typeof expiresAt === 'string') form.setError('lastDay', { message: expiresAt })
      else if (!showFieldErrors(form, error)) setRefusal(messageOf(error))
    },
  })
  const submit = form.handleSubmit(({ name, uses, lastDay }) => {
    setRefusal('')
    const scopes: Scope[] = uses === 'both' ? ['imap', 'smtp'] : [uses]
    const body = { name, scopes, expiresAt: endOfDay(lastDay) }
    make.mutate({ params: { id: mailbox._id }, body })
  })
  const { errors } = form.formState
  const choose = (name: string) =>
    form.setValue('name', name, { shouldValidate: form.formState.isSubmitted })
  return (
    <form method="post" id={id} noValidate className="grid gap-5" onSubmit={submit}>
      {refusal && <FormAlert>{refusal}</FormAlert>}
      <div className="grid gap-2">
        <Field
          label="Name"
          required
          hint="So that you know it again when the device is lost"
          error={errors.name?.message}
        >
          {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
        </Field>
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">Names to choose from</legend>
          {NAMES.map((name) => (
            <Button key={name} variant="secondary" size="small" onClick={() => choose(name)}>
              {name}
            </Button>
          ))}
        </fieldset>
      </div>
      <div className="grid gap-1.5">
        <p className="font-medium text-sm">What it is for</p>
        <RadioCards
          aria-label="What it is for"
          value={form.watch('uses')}
          onValueChange={(uses) => form.setValue('uses', uses)}
          cards={cards}
          className="sm:grid-cols-3"
        />
      </div>
      <LastDayField
        label="Last day (optional)"
        value={form.watch('lastDay')}
        error={errors.lastDay?.message}
        onChange={(event) => form.setValue('lastDay', event.target.value, { shouldValidate: true })}
      />
    </form>
  )
}

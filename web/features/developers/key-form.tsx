import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { z } from 'zod'
import {
  apiKeyForm,
  type KeyKind,
  type MadeApiKey,
  makeApiKey,
} from '#contract/developers/api-keys.ts'
import { type ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { endOfDay } from '#web/lib/time/end-of-day.ts'
import { Field, Input } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { LastDayField } from '#web/ui/form/last-day-field.tsx'
import { ReachChoice } from './reach-choice.tsx'
import { ScopeChoice } from './scope-choice.tsx'

const CHOOSE = 'Please choose at least one'

const schema = z
  .object({
    name: apiKeyForm.shape.name,
    scopes: apiKeyForm.shape.scopes,
    reach: z.object({
      isNarrowed: z.boolean(),
      domains: z.array(z.string()),
      mailboxes: z.array(z.string()),
    }),
    lastDay: z.string(),
    ips: z.string(),
  })
  .refine(({ reach }) => !reach.isNarrowed || reach.domains.length + reach.mailboxes.length > 0, {
    path: ['reach'],
    message: CHOOSE,
  })
type Values = z.input<typeof schema>

const empty: Values = {
  ...{ name: '', scopes: [], lastDay: '', ips: '' },
  reach: { isNarrowed: false, domains: [], mailboxes: [] },
}

/** As people write lists: by commas, spaces or lines. */
const listOf = (text: string): string[] => text.split(/[\s,;]+/u).filter(Boolean)
const orNull = (ids: string[]): string[] | null => (ids.length === 0 ? null : ids)

const bodyOf = (kind: KeyKind, { name, scopes, reach, lastDay, ips }: Values) => ({
  ...{ kind, name, scopes, expiresAt: endOfDay(lastDay), ips: listOf(ips) },
  domains: reach.isNarrowed ? orNull(reach.domains) : null,
  mailboxes: reach.isNarrowed ? orNull(reach.mailboxes) : null,
})

/** @returns false when the refusal is of no field of this form */
const showRefusedFields = (form: UseFormReturn<Values>, error: ApiError): boolean => {
  const { expiresAt, ...rest } = error.data
  const ofNetworks = Object.entries(rest).find(([name]) => /^ips\b/.test(name))?.[1]
  const ofReach = rest.domains ?? rest.mailboxes
  if (typeof expiresAt === 'string') form.setError('lastDay', { message: expiresAt })
  else if (typeof ofNetworks === 'string') form.setError('ips', { message: ofNetworks })
  else if (typeof ofReach === 'string') form.setError('reach', { message: ofReach })
  else return showFieldErrors(form, error)
  return true
}

type KeyFormProps = {
  id: string
  kind: KeyKind
  onMade: (made: MadeApiKey) => void
  onPending: (isPending: boolean) => void
}

export function KeyForm({ id, kind, onMade, onPending }: KeyFormProps) {
  const [refusal, setRefusal] = useState('')
  const form = useForm<Values>({ resolver: zodResolver(schema), defaultValues: empty })
  useKeptValues(`API key of a ${kind}`, form)
  const make = useCall(makeApiKey, {
    onMutate: () => onPending(true),
    onSettled: () => onPending(false),
    onSuccess: onMade,
    onError: (error) => {
      if (!showRefusedFields(form, error)) setRefusal(messageOf(error))
    },
  })
  const submit = form.handleSubmit((values) => {
    setRefusal('')
    make.mutate({ body: bodyOf(kind, values) })
  })
  const { errors, isSubmitted } = form.formState
  const set = { shouldValidate: isSubmitted, shouldDirty: true }
  return (
    <form method="post" id={id} noValidate className="grid gap-5" onSubmit={submit}>
      {refusal && <FormAlert>{refusal}</FormAlert>}
      <Field
        label="Name"
        required
        hint="The program or the server that uses it"
        error={errors.name?.message}
      >
        {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
      </Field>
      <ScopeChoice
        value={form.watch('scopes')}
        onChange={(scopes) => form.setValue('scopes', scopes, set)}
        error={errors.scopes?.message}
      />
      <ReachChoice
        value={form.watch('reach')}
        onChange={(reach) => form.setValue('reach', reach, set)}
        error={errors.reach?.message ?? errors.reach?.root?.message}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <LastDayField
          label="Last day (optional)"
          value={form.watch('lastDay')}
          error={errors.lastDay?.message}
          onChange={({ target }) => form.setValue('lastDay', target.value, set)}
        />
        <Field
          label="Networks (optional)"
          hint="Addresses that may use it, such as 192.0.2.0/24"
          error={errors.ips?.message}
        >
          {(control) => <Input {...control} {...form.register('ips')} autoComplete="off" />}
        </Field>
      </div>
    </form>
  )
}

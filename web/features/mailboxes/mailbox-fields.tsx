import { Controller, type UseFormReturn } from 'react-hook-form'
import { Link } from 'react-router'
import type { z } from 'zod'
import { mailboxForm } from '#contract/mailboxes.ts'
import { paths } from '#web/paths.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { useDomainChoices } from './use-domain-choices.ts'

// The signature is written where mailboxes are generated and in the settings of a mailbox.
export const mailboxFields = mailboxForm.omit({ signature: true })
export type MailboxValues = z.input<typeof mailboxFields>

type MailboxFieldsProps = {
  form: UseFormReturn<MailboxValues>
  /** The domain of a mailbox that exists, offered even while it is not active. */
  keptDomain: string | undefined
}

export function MailboxFields({ form, keptDomain }: MailboxFieldsProps) {
  const { errors } = form.formState
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" required error={errors.firstName?.message}>
          {(control) => <Input {...control} {...form.register('firstName')} autoComplete="off" />}
        </Field>
        <Field label="Last name" required error={errors.lastName?.message}>
          {(control) => <Input {...control} {...form.register('lastName')} autoComplete="off" />}
        </Field>
      </div>
      <DomainField form={form} keptDomain={keptDomain} />
      <Field label="Email" required error={errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register('email')}
            type="text"
            inputMode="email"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
    </>
  )
}

function DomainField({ form, keptDomain }: MailboxFieldsProps) {
  const { choices, isPending } = useDomainChoices()
  const options = choices.map(({ name, unicodeName }) => ({ value: name, label: unicodeName }))
  if (keptDomain && !options.some((option) => option.value === keptDomain))
    options.unshift({ value: keptDomain, label: keptDomain })
  const isNone = !isPending && options.length === 0
  return (
    <Controller
      name="domain"
      control={form.control}
      render={({ field, fieldState }) => (
        <Field
          label="Domain"
          required
          error={fieldState.error?.message}
          hint={
            isNone && (
              <>
                No domain is active yet.{' '}
                <Link to={paths.addDomain()} className="text-accent-ink underline">
                  Add and verify one
                </Link>{' '}
                first.
              </>
            )
          }
        >
          {(control) => (
            <Select
              {...control}
              // A domain asked for by the address that turned out not to be active is not chosen.
              value={options.some(({ value }) => value === field.value) ? field.value : ''}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
              options={options}
              placeholder={isPending ? 'Loading...' : 'Select a domain'}
              disabled={isPending || isNone}
            />
          )}
        </Field>
      )}
    />
  )
}

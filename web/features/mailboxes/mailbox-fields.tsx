import type { FocusEvent } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { Domain } from '#contract/domains.ts'
import { type Mailbox, mailboxForm } from '#contract/mailboxes.ts'
import { Field, Input } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { noDomainHint, useDomainChoices } from './use-domain-choices.tsx'

// The signature is entered in the bulk dialog and in the settings of a mailbox.
export const mailboxFields = mailboxForm.omit({ signature: true })
export type MailboxValues = z.input<typeof mailboxFields>

/** Initial values of the form. */
export const firstValues = (
  mailbox: Mailbox | undefined,
  domain = '',
): Required<MailboxValues> => ({
  firstName: mailbox?.firstName ?? '',
  lastName: mailbox?.lastName ?? '',
  email: mailbox?.email ?? '',
  domain: mailbox?.domain ?? domain,
})

type MailboxFieldsProps = {
  form: UseFormReturn<MailboxValues>
  /** The domain of an existing mailbox, offered even while it is not active. */
  keptDomain: string | undefined
}

/** 'gerda' becomes an address at the chosen domain, or at the only one there is. */
function completeAddress(form: UseFormReturn<MailboxValues>, choices: readonly Domain[]): void {
  const { email, domain } = form.getValues()
  const [only] = choices
  const name = domain || (choices.length === 1 ? only?.name : undefined)
  const address = `${email.trim()}@${name}`
  if (!name || email.includes('@') || !mailboxFields.shape.email.safeParse(address).success) return
  form.setValue('email', address, { shouldDirty: true, shouldValidate: true })
  form.setValue('domain', name, { shouldDirty: true, shouldValidate: true })
}

/** Does not validate an empty field on blur: the message would move the link or button that is being pressed. */
function typed(form: UseFormReturn<MailboxValues>, name: keyof MailboxValues) {
  const { onBlur, ...rest } = form.register(name)
  return {
    ...rest,
    onBlur: (event: FocusEvent<HTMLInputElement>) =>
      event.target.value === '' ? undefined : onBlur(event),
  }
}

export function MailboxFields({ form, keptDomain }: MailboxFieldsProps) {
  const { errors } = form.formState
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" required error={errors.firstName?.message}>
          {(control) => <Input {...control} {...typed(form, 'firstName')} autoComplete="off" />}
        </Field>
        <Field label="Last name" required error={errors.lastName?.message}>
          {(control) => <Input {...control} {...typed(form, 'lastName')} autoComplete="off" />}
        </Field>
      </div>
      <DomainField form={form} keptDomain={keptDomain} />
      <EmailField form={form} />
    </>
  )
}

function EmailField({ form }: Pick<MailboxFieldsProps, 'form'>) {
  const { choices } = useDomainChoices()
  const { onBlur, ...field } = typed(form, 'email')
  return (
    <Field label="Email" required error={form.formState.errors.email?.message}>
      {(control) => (
        <Input
          {...control}
          {...field}
          onBlur={(event) => {
            completeAddress(form, choices)
            void onBlur(event)
          }}
          // Enter submits without leaving the field.
          onKeyDown={({ key }) => key === 'Enter' && completeAddress(form, choices)}
          type="text"
          inputMode="email"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </Field>
  )
}

function DomainField({ form, keptDomain }: MailboxFieldsProps) {
  const domains = useDomainChoices()
  const { choices, isPending } = domains
  const options = choices.map(({ name, unicodeName }) => ({ value: name, label: unicodeName }))
  if (keptDomain && !options.some((option) => option.value === keptDomain))
    options.unshift({ value: keptDomain, label: keptDomain })
  return (
    <Controller
      name="domain"
      control={form.control}
      render={({ field, fieldState }) => (
        <Field
          label="Domain"
          required
          error={fieldState.error?.message}
          hint={options.length === 0 && noDomainHint(domains)}
        >
          {(control) => (
            <Select
              {...control}
              ref={field.ref}
              // A domain from the URL that is not active is not selected.
              value={options.some(({ value }) => value === field.value) ? field.value : ''}
              onValueChange={field.onChange}
              onBlur={() => field.value && field.onBlur()}
              options={options}
              placeholder={isPending ? 'Loading...' : 'Select a domain'}
              disabled={options.length === 0}
            />
          )}
        </Field>
      )}
    />
  )
}

import { type Resolver, useForm } from 'react-hook-form'
import { type Domain, domainCan, listDomains } from '#contract/domains.ts'
import { aliasForm } from '#contract/mail/aliases.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { type ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { useAddAlias } from './use-aliases.ts'

type Values = { name: string; domain: string }

/** Returns a complete address as typed; appends the selected domain to a name. */
const emailOf = ({ name, domain }: Values): string => {
  const typed = name.trim()
  return typed.includes('@') || typed === '' ? typed : `${typed}@${domain}`
}

export function AddAliasForm({ mailbox }: { mailbox: Mailbox }) {
  const domains = useApi(listDomains, {})
  const choices = domains.data?.filter(domainCan.takeMailboxes)
  const own = choices?.find(({ name }) => name === mailbox.domain) ?? choices?.[0]
  if (domains.isError && !choices)
    return (
      <p className="text-soft text-sm">
        The domains could not be loaded, so nothing can be added now.{' '}
        <Button variant="link" size="inline" onClick={() => void domains.refetch()}>
          Try again
        </Button>
      </p>
    )
  if (choices && !own)
    return (
      <p className="text-soft text-sm">
        No domain of this workspace is active now, so nothing can be added.
      </p>
    )
  // Waits for the domains, because the first one is selected at the start.
  if (!own || !choices) return <Skeleton className="h-31 w-full max-sm:h-50" />
  return <AliasFields mailbox={mailbox} choices={choices} first={own} />
}

/** Shows errors of the address at the name field. */
const resolver: Resolver<Values> = (values) => {
  const read = aliasForm.safeParse({ email: emailOf(values) })
  if (read.success) return { values, errors: {} }
  const message = read.error.issues[0]?.message ?? 'Invalid email address'
  return { values: {}, errors: { name: { type: 'address', message } } }
}

type AliasFieldsProps = { mailbox: Mailbox; choices: readonly Domain[]; first: Domain }

function AliasFields({ mailbox, choices, first }: AliasFieldsProps) {
  const form = useForm<Values>({ resolver, defaultValues: { name: '', domain: first.name } })
  useKeptValues(`alias of ${mailbox._id}`, form)
  const add = useAddAlias(mailbox._id)
  const submit = form.handleSubmit((values) =>
    add.mutate(
      { params: { id: mailbox._id }, body: { email: emailOf(values) } },
      {
        onSuccess: () => {
          form.resetField('name')
          form.setFocus('name')
        },
        onError: (error) => {
          const message = refusalOf(error)
          if (message === null) toastError(messageOf(error))
          else form.setError('name', { type: 'refused', message }, { shouldFocus: true })
        },
      },
    ),
  )
  return (
    <form method="post" noValidate className="grid gap-4" onSubmit={submit}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="New alias" required error={form.formState.errors.name?.message}>
          {(control) => (
            <Input
              {...control}
              {...form.register('name')}
              inputMode="email"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <SelectField
          control={form.control}
          name="domain"
          label="Domain"
          options={choices.map(({ name, unicodeName }) => ({ value: name, label: unicodeName }))}
        />
      </div>
      <Button type="submit" isPending={add.isPending} className="justify-self-start max-sm:w-full">
        {add.isPending ? 'Adding...' : 'Add alias'}
      </Button>
    </form>
  )
}

const ABOUT_THE_ADDRESS = ['ADDRESS_TAKEN', 'MAILBOX_EXISTS', 'ALIAS_LIMIT', 'DOMAIN_NOT_ACTIVE']

/** The message for the address field; null when the error is about something else. */
const refusalOf = ({ type, data, message }: ApiError): string | null => {
  if (ABOUT_THE_ADDRESS.includes(type)) return message
  return type === 'VALIDATION' && typeof data.email === 'string' ? data.email : null
}

/** Creates or edits a mailbox. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { createMailbox, editMailbox, localPartFor, type Mailbox } from '#contract/mailboxes.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { FromList } from './from-list.tsx'
import { firstValues, MailboxFields, type MailboxValues, mailboxFields } from './mailbox-fields.tsx'
import { PriceNote } from './payment/price-note.tsx'
import { useDomainChoices } from './use-domain-choices.tsx'

/** The field at which each error of the server is shown. */
const fieldOf: Record<string, keyof MailboxValues> = {
  MAILBOX_EXISTS: 'email',
  ADDRESS_TAKEN: 'email',
  ADDRESS_FIXED: 'email',
  MAILBOX_LIMIT: 'domain',
  DOMAIN_NOT_ACTIVE: 'domain',
}

type MailboxDialogProps = {
  /** The mailbox to edit; undefined: a new one. */
  mailbox?: Mailbox | undefined
  /** The domain that is selected first. */
  domain?: string | undefined
  hasBilling: boolean
  /** Opens the import, for more than one new mailbox. */
  onFromList?: () => void
  onClose: () => void
}

export function MailboxDialog(props: MailboxDialogProps) {
  const { mailbox, domain, hasBilling, onFromList, onClose } = props
  const fields = useForm<MailboxValues>({
    resolver: zodResolver(mailboxFields),
    mode: 'onTouched',
    defaultValues: firstValues(mailbox, domain),
  })
  useKeptValues(`mailbox ${mailbox?._id ?? ''}`, fields)
  const { isDirty } = fields.formState
  const unsaved = useUnsavedChanges(isDirty, onClose)
  const { save, isSaving, refusal } = useSaveMailbox(fields, mailbox, hasBilling, unsaved.leave)
  useSuggestions(fields, mailbox === undefined)
  return (
    <FormDialog
      title={mailbox ? 'Edit mailbox' : 'Create mailbox'}
      description={
        mailbox ? mailbox.email : 'An address with its own mail, under a domain of yours.'
      }
      size="medium"
      unsaved={unsaved}
      onSubmit={fields.handleSubmit(save)}
      submitText={mailbox ? 'Save' : 'Create'}
      pendingText={mailbox ? 'Saving...' : 'Creating...'}
      isUnchanged={mailbox !== undefined && !isDirty}
      isPending={isSaving}
      className="grid gap-4"
    >
      {refusal && <FormAlert>{refusal}</FormAlert>}
      <MailboxFields form={fields} keptDomain={mailbox?.domain} />
      {onFromList && <FromList question="More than one person?" onOpen={onFromList} />}
      {mailbox ? <OtherSettings mailbox={mailbox} /> : <PriceNote />}
    </FormDialog>
  )
}

function OtherSettings({ mailbox }: { mailbox: Mailbox }) {
  return (
    <p className="text-soft text-xs">
      The signature and the aliases are in the{' '}
      <Link
        to={paths.mailboxSettings({ mailbox: mailbox._id })}
        className="text-accent-ink underline underline-offset-2"
      >
        mailbox settings
      </Link>
      .
    </p>
  )
}

function useSaveMailbox(
  fields: UseFormReturn<MailboxValues>,
  mailbox: Mailbox | undefined,
  hasBilling: boolean,
  leave: () => void,
) {
  const [refusal, setRefusal] = useState('')
  const { dirtyFields } = fields.formState
  const onError = (error: ApiError) => {
    const field = fieldOf[error.type]
    if (field)
      fields.setError(field, { type: 'server', message: error.message }, { shouldFocus: true })
    else if (!showFieldErrors(fields, error)) setRefusal(error.message)
  }
  const saved = (title: string) => (answer: Mailbox) => {
    leave()
    const isUnpaid = hasBilling && answer.status === 'inactive' && !mailbox
    toast({
      title,
      description: isUnpaid ? `${answer.email} becomes active when it is paid for.` : answer.email,
      variant: 'success',
    })
  }
  const create = useCall(createMailbox, { onSuccess: saved('Mailbox created'), onError })
  const edit = useCall(editMailbox, { onSuccess: saved('Mailbox saved'), onError })
  const save = (values: MailboxValues) => {
    setRefusal('')
    if (!mailbox) return create.mutate({ body: values })
    const changed = Object.fromEntries(
      Object.entries(values).filter(([name]) => dirtyFields[name as keyof MailboxValues]),
    )
    edit.mutate({ params: { id: mailbox._id }, body: changed })
  }
  return { save, isSaving: create.isPending || edit.isPending, refusal }
}

/**
 * Until the user types an address it follows the names. A typed address with one of the domains selects that domain,
 * and selecting a domain replaces the domain of the address. The form starts empty.
 */
function useSuggestions(fields: UseFormReturn<MailboxValues>, isNew: boolean): void {
  const { watch, setValue, clearErrors } = fields
  const { choices } = useDomainChoices()
  const domains = choices.map((choice) => choice.name).join(' ')
  const isTyped = useRef(!isNew)
  useEffect(() => {
    const { unsubscribe } = watch((values, { name, type }) => {
      const { firstName = '', lastName = '', email = '', domain = '' } = values
      if (name === 'email') {
        if (type !== 'change') return
        isTyped.current = email !== ''
        const typedDomain = email.split('@')[1]?.toLowerCase() ?? ''
        if (typedDomain !== domain && domains.split(' ').includes(typedDomain))
          setValue('domain', typedDomain, { shouldDirty: true, shouldValidate: true })
        return
      }
      if (isTyped.current && name !== 'domain') return
      const local = isTyped.current ? email.split('@')[0] : localPartFor(firstName, lastName)
      const suggested = local && domain ? `${local}@${domain}` : ''
      if (suggested === email.toLowerCase() || (suggested === '' && isTyped.current)) return
      setValue('email', suggested, { shouldDirty: true })
      clearErrors('email')
    })
    return unsubscribe
  }, [watch, setValue, clearErrors, domains])
}

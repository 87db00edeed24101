import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { type DnsLink, dnsLinkMailForm } from '#contract/dns/links.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useMailLink } from './use-links.ts'

type MailLinkFormProps = { domainId: string; link: DnsLink; onClose: () => void }

/** Asks where to mail a link that exists. */
export function MailLinkForm({ domainId, link, onClose }: MailLinkFormProps) {
  const form = useForm<z.input<typeof dnsLinkMailForm>>({
    resolver: zodResolver(dnsLinkMailForm),
    defaultValues: { email: '' },
  })
  const { setFocus } = form
  useEffect(() => setFocus('email'), [setFocus])
  const mail = useMailLink(domainId)
  const send = form.handleSubmit((body) =>
    mail.mutate(
      { params: { id: link._id }, body },
      {
        onSuccess: onClose,
        onError: (error) => {
          if (!showFieldErrors(form, error)) toastError(messageOf(error))
        },
      },
    ),
  )
  return (
    <form noValidate className="grid gap-3" onSubmit={send}>
      <Field label="Send to" required error={form.formState.errors.email?.message}>
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
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isPending={mail.isPending}>
          {mail.isPending ? 'Sending...' : 'Send'}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

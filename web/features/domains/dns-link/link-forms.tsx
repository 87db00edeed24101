import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { DEFAULT_LINK_DAYS, type DnsLink, dnsLinkMailForm, LINK_DAYS } from '#contract/dns/links.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { type Linked, useMailLink, useMakeLink } from './use-links.ts'

const options = LINK_DAYS.map((days) => ({
  value: String(days),
  label: days === 1 ? '1 day' : `${days} days`,
}))

const form = z.object({
  days: z.string(),
  email: z.union([z.literal(''), dnsLinkMailForm.shape.email]),
})
type Values = z.input<typeof form>

type MakeLinkFormProps = {
  linked: Linked
  onTyping: (isTyping: boolean) => void
  onMade: (id: string) => void
}

/** Creates a link, and mails it when an address is entered. When the mail is refused, the link stays and can be copied. */
export function MakeLinkForm({ linked, onTyping, onMade }: MakeLinkFormProps) {
  const { register, control, reset, watch, handleSubmit, formState } = useForm<Values>({
    resolver: zodResolver(form),
    defaultValues: { days: String(DEFAULT_LINK_DAYS), email: '' },
  })
  const { errors } = formState
  const isMailed = watch('email').trim() !== ''
  useEffect(() => onTyping(isMailed), [isMailed, onTyping])
  const make = useMakeLink(linked)
  const mail = useMailLink(linked)
  const submit = handleSubmit(async ({ days, email }) => {
    let link: DnsLink | null = null
    try {
      link = await make.make(LINK_DAYS.find((each) => String(each) === days) ?? DEFAULT_LINK_DAYS)
      onMade(link._id)
      if (email === '') toast({ title: 'Link made', variant: 'success' })
      else await mail.mutateAsync({ params: { id: link._id }, body: { email } })
    } catch (error) {
      const prefix = link ? 'The link was made, but it could not be mailed: ' : ''
      toastError(prefix + messageOf(error))
    }
    if (link) reset()
  })
  const isPending = make.isPending || mail.isPending
  return (
    <form method="post" noValidate className="grid gap-4" onSubmit={submit}>
      <div className="grid gap-4 sm:grid-cols-[9rem_minmax(0,1fr)]">
        <SelectField control={control} name="days" label="Works for" options={options} />
        <Field
          label="Email"
          hint="Optional: we mail the link there. Or copy it, and send it yourself."
          error={errors.email?.message}
        >
          {(attributes) => (
            <Input
              {...attributes}
              {...register('email')}
              type="email"
              inputMode="email"
              autoComplete="off"
            />
          )}
        </Field>
      </div>
      <Button type="submit" isPending={isPending} className="justify-self-start max-sm:w-full">
        {isPending ? 'Making the link...' : isMailed ? 'Make and send link' : 'Make link'}
      </Button>
    </form>
  )
}

type MailLinkFormProps = { linked: Linked; link: DnsLink; onClose: () => void }

/** Mails an existing link to an address. */
export function MailLinkForm({ linked, link, onClose }: MailLinkFormProps) {
  const form = useForm<z.input<typeof dnsLinkMailForm>>({
    resolver: zodResolver(dnsLinkMailForm),
    defaultValues: { email: '' },
  })
  const { setFocus } = form
  useEffect(() => setFocus('email'), [setFocus])
  const mail = useMailLink(linked)
  const send = form.handleSubmit((body) =>
    mail.mutate(
      { params: { id: link._id }, body },
      {
        onSuccess: onClose,
        onError: (error) => showRefusal(form, error),
      },
    ),
  )
  return (
    <form method="post" noValidate className="grid gap-3" onSubmit={send}>
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

/** Sends a test mail from a mailbox of the domain, and shows its journey until the answer is back (decision 060). */
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation } from 'react-router'
import type { z } from 'zod'
import type { Domain } from '#contract/domains.ts'
import type { DomainSteps } from '#contract/first-steps.ts'
import { getTestMail, sendTestMail, type TestMail, testMailForm } from '#contract/mail/test-mail.ts'
import { listMailboxes, type Mailbox } from '#contract/mailboxes.ts'
import { useSession } from '#web/lib/api/session.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { toast } from '#web/lib/toast-store.ts'
import { TEST_MAIL } from '#web/paths.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { TestMailState } from './test-mail-state.tsx'

/** A mailbox that sends is one of the first; any of them shows that the domain works. */
export const senderQuery = (domain: string) => ({ domain, status: 'active', limit: 50 }) as const

type TestMailCardProps = { domain: Domain; steps: DomainSteps | undefined }

export function TestMailCard({ domain, steps }: TestMailCardProps) {
  const last = useApi(getTestMail, { params: { id: domain._id } })
  const senders = useApi(listMailboxes, { query: senderQuery(domain.name) })
  const canSend = useCan('manage-domains')
  const isReady = last.data !== undefined && senders.data !== undefined
  const error = last.error ?? senders.error
  const section = useLinkedPlace(isReady)
  return (
    <Card>
      <section ref={section} id={TEST_MAIL} aria-label="Test mail" tabIndex={-1}>
        <CardHeader
          title="Test mail"
          description="A mail to you at another service, and your answer, show that mail comes and goes. This card shows what becomes of it. If it fails, nothing is put into the mailbox"
        />
        {isReady ? (
          <div className="grid gap-5 px-5 pb-5">
            <TestMailState testMail={last.data.testMail} steps={steps} />
            {senders.data.items.length === 0 ? (
              <p className="text-soft text-sm">
                It is sent from a mailbox of this domain that is active: there is none yet.
              </p>
            ) : canSend ? (
              <TestMailForm
                domain={domain}
                senders={senders.data.items}
                last={last.data.testMail}
              />
            ) : null}
          </div>
        ) : error ? (
          <ErrorState
            title="The test mail could not be loaded"
            description={error.message}
            onRetry={() => void Promise.all([last.refetch(), senders.refetch()])}
            className="py-6"
          />
        ) : (
          <div role="status" className="grid gap-3 px-5 pb-5">
            <span className="sr-only">Loading the test mail</span>
            <Skeleton className="h-10" />
          </div>
        )}
      </section>
    </Card>
  )
}

/** The steps of the domain lead here. The browser looks for the place before it is there. */
function useLinkedPlace(isReady: boolean) {
  const place = useRef<HTMLElement>(null)
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit of the link leads here again
  useEffect(() => {
    if (!isReady || hash !== `#${TEST_MAIL}`) return
    place.current?.scrollIntoView({ block: 'center' })
    place.current?.focus({ preventScroll: true })
  }, [isReady, hash, key])
  return place
}

type Values = z.input<typeof testMailForm>
type TestMailFormProps = { domain: Domain; senders: readonly Mailbox[]; last: TestMail | null }

function TestMailForm({ domain, senders, last }: TestMailFormProps) {
  const session = useSession()
  const own = session.status === 'signed-in' ? session.user.email : ''
  const form = useForm<Values>({
    resolver: zodResolver(testMailForm),
    defaultValues: {
      mailboxId: (senders.find(({ email }) => email === last?.from) ?? senders[0])?._id ?? '',
      to: last?.to ?? (own.endsWith(`@${domain.name}`) ? '' : own),
    },
  })
  const send = useCall(sendTestMail, {
    onSuccess: ({ to }) =>
      toast({
        title: 'Test mail sent',
        description: `It is on its way to ${to}.`,
        variant: 'success',
      }),
    onError: (error) => showRefusal(form, error),
  })
  const submit = form.handleSubmit((body) => send.mutate({ params: { id: domain._id }, body }))
  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          control={form.control}
          name="mailboxId"
          label="From"
          hint="A mailbox of this domain. The mail carries its address, and your answer arrives there."
          options={senders.map(({ _id, email }) => ({ value: _id, label: email }))}
        />
        <Field
          label="To"
          required
          hint="Where you read mail today, at another service: answer it from there."
          error={form.formState.errors.to?.message}
        >
          {(attributes) => (
            <Input
              {...attributes}
              {...form.register('to')}
              type="email"
              inputMode="email"
              autoComplete="email"
            />
          )}
        </Field>
      </div>
      <Button
        type="submit"
        variant={last ? 'secondary' : 'primary'}
        isPending={send.isPending}
        className="justify-self-start max-sm:w-full"
      >
        {send.isPending ? 'Sending...' : last ? 'Send another one' : 'Send test mail'}
      </Button>
    </form>
  )
}

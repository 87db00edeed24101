/** Creates the link with which the holder of a mailbox sets a password: to copy, or sent by mail. */

import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { Copy, Mail } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { linkForm, makeAccessLink } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Output } from '#contract/route.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { signedInUserId } from '#web/lib/api/session.ts'
import { readAgain } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { formatMoment } from '#web/lib/format.ts'
import { keptAddress } from '#web/lib/kept-addresses.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CopyField } from '#web/ui/form/copy-field.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

type LinkDialogProps = {
  mailbox: Mailbox
  isReset: boolean
  /** true: the caller may read the mailbox only because they created it. */
  isMaker: boolean
  onClose: () => void
}

const FORM = 'access-link'

export function LinkDialog({ mailbox, isReset, isMaker, onClose }: LinkDialogProps) {
  const client = useQueryClient()
  const [made, setMade] = useState<Output<typeof makeAccessLink> | null>(null)
  const [isPending, setIsPending] = useState(false)
  const [isCopied, setIsCopied] = useState(false)
  const isShown = made !== null && made.link !== null
  const unsaved = useUnsavedChanges(isShown && !isCopied, onClose, LEAVING)
  const onMade = async (link: Output<typeof makeAccessLink>) => {
    setMade(link)
    await readAgain(client, makeAccessLink)
  }
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && (made || !isPending) && unsaved.requestClose()}
        size="medium"
        title={isReset ? 'Reset the password' : 'Set up access'}
        description={
          isReset
            ? `The holder of ${mailbox.email} sets a new password with a link. The old one works until then.`
            : `The owner of ${mailbox.email} opens a link and sets a password.`
        }
        footer={
          made ? (
            <Button variant="secondary" onClick={unsaved.requestClose}>
              Done
            </Button>
          ) : (
            <>
              <Button variant="secondary" disabled={isPending} onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" form={FORM} isPending={isPending}>
                {isPending ? 'Making the link...' : 'Make link'}
              </Button>
            </>
          )
        }
      >
        {made ? (
          <MadeLink made={made} onCopied={() => setIsCopied(true)} />
        ) : (
          <div className="grid gap-5">
            {isMaker && !isReset && (
              <p className="rounded-xl bg-hover px-3.5 py-3 text-sm">
                You can read this mailbox because you made it. That ends when the link is used. To
                keep the right, give it to yourself under “Who reads it”.
              </p>
            )}
            <LinkForm id={FORM} mailbox={mailbox} onMade={onMade} onPending={setIsPending} />
          </div>
        )}
      </Dialog>
      {unsaved.question}
    </>
  )
}

const LEAVING = {
  title: 'Close without the link?',
  description:
    'You have not copied it. Once this is closed nobody can see it again: you would have to make a new one.',
  confirmText: 'Close without it',
}

/** The link cannot be shown again: the server stores only its hash. */
type MadeLinkProps = { made: Output<typeof makeAccessLink>; onCopied?: () => void }

export function MadeLink({ made, onCopied }: MadeLinkProps) {
  const { link, mailedTo, expiresAt } = made
  const until = `It works once, until ${formatMoment(expiresAt)}.`
  if (link === null)
    return (
      <p role="status" className="wrap-anywhere text-sm">
        The link is on its way to <span className="font-medium">{mailedTo}</span>. {until}
      </p>
    )
  return (
    <div className="grid gap-4">
      <CopyField text={link} label="Link" onCopied={onCopied} />
      <p className="text-soft text-sm">
        {until} It is not shown again. Anyone who has it can read the mailbox, so give it only to
        its owner.
      </p>
    </div>
  )
}

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
    description: 'It is shown to no one, not even to you.',
    icon: Mail,
  },
] as const

export function LinkForm({ id, mailbox, onMade, onPending }: LinkFormProps) {
  // As an import has named it.
  const [known] = useState(() => keptAddress(signedInUserId(), mailbox._id))
  const [way, setWay] = useState<'copy' | 'mail'>(known === null ? 'copy' : 'mail')
  const [refusal, setRefusal] = useState('')
  const form = useForm<z.input<typeof mailed>>({
    resolver: zodResolver(mailed),
    defaultValues: { email: known ?? '' },
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
      method="post"
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

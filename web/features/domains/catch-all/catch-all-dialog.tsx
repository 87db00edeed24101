import { useState } from 'react'
import { Link } from 'react-router'
import type { Domain } from '#contract/domains.ts'
import { removeCatchAll, setCatchAll } from '#contract/mail/aliases.ts'
import { listMailboxes, type Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { useDebounced } from '#web/lib/time/use-now.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Combobox } from '#web/ui/form/combobox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

type CatchAllDialogProps = { domain: Domain; onClose: () => void }

/** Chooses the mailbox that receives mail for unknown addresses of the domain, or removes that choice. */
export function CatchAllDialog({ domain, onClose }: CatchAllDialogProps) {
  const current = domain.catchAll?.mailboxId ?? ''
  const [mailboxId, setMailboxId] = useState(current)
  const { set, remove } = useChangeCatchAll(domain, onClose)
  const canManage = useCan('manage-domains')
  const isPending = set.isPending || remove.isPending
  const refusal = set.error ?? remove.error
  const id = domain._id
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}
      title="Catch-all"
      description={`One mailbox can get the mail for addresses of ${domain.unicodeName} that do not exist. Without a catch-all such mail is refused, and its sender is notified.`}
      footer={
        <>
          {domain.catchAll && (
            <Button
              variant="quiet"
              className="mr-auto"
              isPending={remove.isPending}
              disabled={!canManage || isPending}
              onClick={() => remove.mutate({ params: { id } })}
            >
              {remove.isPending ? 'Removing...' : 'Remove catch-all'}
            </Button>
          )}
          <Button variant="secondary" disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            isPending={set.isPending}
            disabled={!canManage || isPending || mailboxId === current}
            onClick={() => set.mutate({ params: { id }, body: { mailboxId } })}
          >
            {set.isPending ? 'Saving...' : 'Save'}
          </Button>
        </>
      }
    >
      {refusal && <FormAlert>{messageOf(refusal)}</FormAlert>}
      <MailboxField domain={domain} value={mailboxId} onChange={setMailboxId} />
    </Dialog>
  )
}

/** Mailboxes that are listed; typing finds the others. */
const MAX_LISTED = 50

/** The mailboxes whose address or name contains the typed text. `hasNone`: the workspace has no mailbox. */
export function useFoundMailboxes(typed: string) {
  const q = useDebounced(typed.trim())
  const query = { limit: MAX_LISTED, ...(q === '' ? {} : { q }) }
  const found = useApi(listMailboxes, { query }, { placeholderData: (before) => before })
  const isWhole = q === '' && !found.isPlaceholderData
  return { ...found, hasNone: isWhole && found.data?.items.length === 0 }
}

export const labelOf = ({ email, fullName }: Pick<Mailbox, 'email' | 'fullName'>): string =>
  `${email} (${fullName})`

export function useChangeCatchAll(domain: Domain, onDone: () => void) {
  const done = (title: string, description: string) => () => {
    onDone()
    toast({ title, description, variant: 'success' })
  }
  const { unicodeName: name } = domain
  return {
    set: useCall(setCatchAll, {
      onSuccess: ({ catchAll }) =>
        done(
          'Catch-all set',
          `${catchAll?.email} now gets mail for unknown addresses of ${name}.`,
        )(),
    }),
    remove: useCall(removeCatchAll, {
      onSuccess: done('Catch-all removed', `Mail for unknown addresses of ${name} is refused.`),
    }),
  }
}

type MailboxFieldProps = { domain: Domain; value: string; onChange: (mailboxId: string) => void }

/** Selects a mailbox of the workspace; typing searches them. */
export function MailboxField({ domain, value, onChange }: MailboxFieldProps) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState({
    value: domain.catchAll?.mailboxId ?? '',
    label: domain.catchAll?.email ?? '',
  })
  const mailboxes = useFoundMailboxes(typed)
  const found = mailboxes.data?.items.map((each) => ({ value: each._id, label: labelOf(each) }))
  if (mailboxes.hasNone) return <NoMailbox domain={domain} />
  if (mailboxes.isError && !found)
    return (
      <ErrorState
        title="The mailboxes could not be loaded"
        description={mailboxes.error?.message}
        onRetry={() => void mailboxes.refetch()}
        className="py-6"
      />
    )
  if (!found) return <Loading />
  const isListed = value === '' || found.some((option) => option.value === value)
  return (
    <Field
      label="Mailbox"
      required
      hint="Spam is often sent to made-up names: this mailbox gets all of it."
    >
      {(control) => (
        <Combobox
          {...control}
          label="Mailboxes"
          value={value}
          onValueChange={(next) => {
            setChosen(found.find((option) => option.value === next) ?? chosen)
            onChange(next)
          }}
          // The selected mailbox keeps its label while a search does not list it.
          options={isListed ? found : [chosen, ...found]}
          placeholder="Select a mailbox"
          onSearch={setTyped}
        />
      )}
    </Field>
  )
}

function NoMailbox({ domain }: { domain: Domain }) {
  return (
    <p className="text-sm">
      This workspace has no mailbox yet.{' '}
      <Link
        to={paths.newMailbox({ domain: domain.name })}
        className="text-accent-ink underline underline-offset-2"
      >
        Create one
      </Link>{' '}
      first.
    </p>
  )
}

function Loading() {
  return (
    <div role="status" className="grid gap-1.5">
      <span className="sr-only">Loading the mailboxes</span>
      <Skeleton className="h-5 w-20" />
      <Skeleton className="h-10 w-full" />
    </div>
  )
}

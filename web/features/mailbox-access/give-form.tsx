import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  giveMailbox,
  listPeople,
  type MailboxReader,
  MOST_PEOPLE,
  type PersonToGive,
} from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { call } from '#web/lib/api/api.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { endOfDay } from '#web/lib/time/end-of-day.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Combobox } from '#web/ui/form/combobox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { LastDayField } from '#web/ui/form/last-day-field.tsx'

type GiveFormProps = { mailbox: Mailbox; readers: readonly MailboxReader[] }

/**
 * Gives a member of the workspace, or the holder of another mailbox, the right to read the mailbox. Its maker is listed too: their
 * right ends when a holder is set up, a given right stays.
 */
export function GiveForm({ mailbox, readers }: GiveFormProps) {
  const [person, setPerson] = useState<PersonToGive | null>(null)
  const [canSend, setCanSend] = useState(true)
  const [lastDay, setLastDay] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const give = useCall(giveMailbox, {
    onSuccess: ({ name }) => {
      setPerson(null)
      setLastDay('')
      const description = `${name} reads ${mailbox.email}.`
      toast({ title: 'Mailbox given', description, variant: 'success' })
    },
    onError: (error) => setRefusal(messageOf(error)),
  })
  return (
    <form
      method="post"
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        setRefusal(person === null ? 'Please choose a person' : undefined)
        if (person === null) return
        const body = { userId: person._id, canSend, endsAt: endOfDay(lastDay) }
        give.mutate({ params: { id: mailbox._id }, body })
      }}
    >
      <div className="flex flex-wrap items-start gap-3">
        <PersonField
          label="Give it to"
          hint="Members, and people who sign in to a mailbox of this workspace. It is logged, and the holder sees it."
          person={person}
          isOffered={({ _id }) =>
            !readers.some((reader) => reader._id === _id && reader.how !== 'made')
          }
          error={refusal}
          onChange={(next) => {
            setPerson(next)
            setRefusal(undefined)
          }}
        />
        <LastDayField
          label="Until (optional)"
          value={lastDay}
          onChange={(event) => setLastDay(event.target.value)}
        />
      </div>
      <label htmlFor="can-send" className="flex items-center gap-2.5 text-sm">
        <Checkbox
          id="can-send"
          checked={canSend}
          onCheckedChange={(checked) => setCanSend(checked === true)}
        />
        <span className="wrap-anywhere">May answer as {mailbox.email}</span>
      </label>
      <Button
        type="submit"
        variant="secondary"
        isPending={give.isPending}
        className="justify-self-start max-sm:w-full"
      >
        Give
      </Button>
    </form>
  )
}

type PersonFieldProps = {
  label: string
  hint: string
  person: PersonToGive | null
  isOffered: (person: PersonToGive) => boolean
  error: string | undefined
  onChange: (person: PersonToGive) => void
}

/** The list is searched on the server: a workspace may have hundreds of holders. */
export function PersonField({ label, hint, person, isOffered, error, onChange }: PersonFieldProps) {
  const [typed, setTyped] = useState('')
  const people = useQuery<PersonToGive[], ApiError>({
    queryKey: [listPeople.path, 'typed', typed],
    meta: { reads: listPeople.reads },
    queryFn: ({ signal }) => call(listPeople, { query: { q: typed } }, { signal }),
    placeholderData: keepPreviousData,
  })
  const offered = (people.data ?? []).filter(isOffered)
  const shown =
    person && !offered.some(({ _id }) => _id === person._id) ? [person, ...offered] : offered
  const isCut = people.data?.length === MOST_PEOPLE
  return (
    <Field
      label={label}
      className="min-w-0 flex-1 basis-64"
      error={error ?? people.error?.message}
      hint={isCut ? `${hint} Type a name to find more.` : hint}
    >
      {(control) => (
        <Combobox
          {...control}
          label="People"
          placeholder="Choose a person"
          value={person?._id ?? ''}
          onSearch={setTyped}
          onValueChange={(id) => {
            const chosen = shown.find(({ _id }) => _id === id)
            if (chosen) onChange(chosen)
          }}
          options={shown.map(({ _id, name, email, role }) => ({
            value: _id,
            label: `${name} (${email}), ${role}`,
          }))}
          disabled={!people.data}
        />
      )}
    </Field>
  )
}

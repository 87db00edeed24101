/** The question before something is deleted: what ends and when, and its name to type unless nothing is lost (decision 062). */
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Deletion } from '#contract/deletions.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { formatBytes, formatCount, formatDate } from '#web/lib/format.ts'
import { Field, Input } from '#web/ui/form/field.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

type DeleteDialogProps = {
  /** In Unicode. */
  name: string
  deletion: UseQueryResult<Deletion, ApiError>
  /** What is lost, in one or two sentences. */
  lost: (deletion: Deletion) => ReactNode
  /** When it ends, where that is not after the wait. */
  end?: ReactNode
  /** Where its mail can be saved before. */
  save?: ReactNode
  /** Of what waits; ends now: of what nobody used. */
  confirmText: string
  isPending: boolean
  /** Beside the name, for a workspace: the password. */
  children?: ReactNode
  isReady?: boolean
  onConfirm: (typed: string) => void
  onClose: () => void
}

export function DeleteDialog(props: DeleteDialogProps) {
  const { name, deletion, confirmText, isPending, isReady = true, onConfirm, onClose } = props
  const [typed, setTyped] = useState('')
  const { data } = deletion
  const isTyped = data?.endsAt === null || isName(typed, name)
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}
      title={`Delete ${name}?`}
      description={data ? <Description {...props} deletion={data} /> : 'What ends is counted.'}
      confirmText={isPending ? 'Deleting...' : confirmText}
      isPending={isPending}
      isReady={data?.mayDelete === true && isTyped && isReady}
      onConfirm={() => onConfirm(typed)}
    >
      {data ? (
        data.endsAt !== null &&
        data.mayDelete && (
          <div className="mt-4 grid gap-4 text-sm">
            <WhatEnds {...data} />
            {props.save}
            <NameField name={name} typed={typed} onType={setTyped} />
            {props.children}
          </div>
        )
      ) : deletion.isError ? (
        <ErrorState
          title="Error counting what would end"
          description={deletion.error.message}
          onRetry={() => void deletion.refetch()}
          className="py-6"
        />
      ) : (
        <Skeleton className="mt-4 h-24 w-full" />
      )}
    </ConfirmDialog>
  )
}

const isName = (typed: string, name: string): boolean =>
  typed.trim().toLowerCase() === name.trim().toLowerCase()

type NameFieldProps = { name: string; typed: string; onType: (typed: string) => void }

export function NameField({ name, typed, onType }: NameFieldProps) {
  return (
    <Field label={`Type ${name} to confirm`} required>
      {(control) => (
        <Input
          {...control}
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => onType(target.value)}
        />
      )}
    </Field>
  )
}

type DescriptionProps = Pick<DeleteDialogProps, 'lost' | 'end'> & { deletion: Deletion }

function Description({ lost, end, deletion }: DescriptionProps) {
  if (!deletion.mayDelete)
    return 'Somebody signs in to this mailbox, or was given it to read. Only an Admin can delete it.'
  if (deletion.endsAt === null) return <>{lost(deletion)} Nobody has used it, so it ends at once.</>
  if (end !== undefined)
    return (
      <>
        {lost(deletion)} {end}
      </>
    )
  return (
    <>
      {lost(deletion)} It ends on {formatDate(deletion.endsAt)}: until then it can be taken back.
    </>
  )
}

const countOf = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`

function WhatEnds({ domains, mailboxes, messages, size, people, addresses, links }: Deletion) {
  const ends = [
    domains > 0 && countOf(domains, 'domain', 'domains'),
    mailboxes > 0 && countOf(mailboxes, 'mailbox', 'mailboxes'),
    messages > 0 && `${countOf(messages, 'message', 'messages')} (${formatBytes(size)})`,
    people > 0 && `the access of ${countOf(people, 'person', 'people')}`,
    addresses > 0 && countOf(addresses, 'alias', 'aliases'),
    links > 0 && countOf(links, 'link to set a password', 'links to set a password'),
  ].filter((line) => line !== false)
  return (
    <div className="grid gap-1.5 rounded-xl border border-line bg-sunken px-4 py-3.5">
      <h3 className="font-medium">What ends</h3>
      {ends.length > 0 && (
        <ul className="grid list-disc gap-1 pl-5 text-soft">
          {ends.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

import { EllipsisVertical, KeyRound, LogOut, Users } from 'lucide-react'
import { useState } from 'react'
import {
  accountOrder,
  endSessionsOf,
  listOperatedAccounts,
  makeResetLink,
  type OperatedAccount,
} from '#contract/operator/accounts.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useListPlace } from '#web/lib/list-place.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { Person } from './cells.tsx'
import { type Cell, momentText } from './export-button.tsx'
import { EXPORT_PAGE_SIZE, listQuery, PagedTable } from './paged-table.tsx'

const sortable = ['person', 'seen']

export function PeopleList() {
  const place = useListPlace(sortable)
  const query = listQuery({ ...place, q: place.settled }, accountOrder.options)
  const answer = useApi(listOperatedAccounts, { query }, { placeholderData: (before) => before })
  return (
    <PagedTable
      label="people"
      title={(count) => `People: ${count}`}
      place={place}
      answer={{ ...answer, refetch: () => void answer.refetch() }}
      columns={columns}
      getRowId={({ _id }) => _id}
      exported={{
        ...{ name: 'people', cells },
        read: (cursor) =>
          call(listOperatedAccounts, { query: { ...query, limit: EXPORT_PAGE_SIZE, cursor } }),
      }}
      empty={
        <EmptyState
          icon={Users}
          title="No account yet"
          description="People appear here when they sign up."
        />
      }
    />
  )
}

const placesOf = ({ isHolder, workspaces }: OperatedAccount): string =>
  isHolder
    ? 'Signs in to one mailbox'
    : workspaces.map(({ name, role }) => `${name} (${role})`).join(', ')

const cells: readonly Cell<OperatedAccount>[] = [
  ['Name', ({ name }) => name],
  ['Email', ({ email }) => email],
  ['Created', ({ createdAt }) => momentText(createdAt)],
  ['Verified', ({ verifiedAt }) => momentText(verifiedAt)],
  ['Last sign-in', ({ lastLoginAt }) => momentText(lastLoginAt)],
  ['Operator', ({ isOperator }) => (isOperator ? 'Yes' : 'No')],
  ['Workspaces', placesOf],
  ['Id', ({ _id }) => _id],
]

const columns: readonly Column<OperatedAccount>[] = [
  {
    id: 'person',
    header: 'Person',
    value: ({ name }) => name.toLowerCase(),
    isSortable: true,
    className: 'w-1/2 @max-2xl:w-full max-w-0',
    cell: ({ name, email }) => <Person name={name} email={email} />,
  },
  {
    id: 'workspaces',
    header: 'Workspaces',
    className: 'w-1/2 max-w-0 @max-2xl:hidden',
    cell: (account) => <Places account={account} />,
  },
  {
    id: 'seen',
    header: 'Last sign-in',
    value: ({ lastLoginAt }) => lastLoginAt ?? '',
    isSortable: true,
    className: 'w-px whitespace-nowrap @max-xl:hidden',
    cell: ({ lastLoginAt, verifiedAt }) => {
      if (verifiedAt === null) return <Badge tone="warn">Not verified</Badge>
      return lastLoginAt === null ? 'Never' : <Ago at={lastLoginAt} />
    },
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    className: 'w-px',
    cell: (account) => <PersonMenu account={account} />,
  },
]

function Places({ account }: { account: OperatedAccount }) {
  const text = placesOf(account)
  return (
    <span className="flex min-w-0 items-center gap-2">
      {account.isOperator && <Badge tone="accent">Operator</Badge>}
      <span className="truncate" title={text}>
        {text}
      </span>
    </span>
  )
}

function PersonMenu({ account: { _id: id, email, isHolder } }: { account: OperatedAccount }) {
  const [asking, setAsking] = useState<'link' | 'sessions' | null>(null)
  const [link, setLink] = useState('')
  const onError = (error: Error) => {
    setAsking(null)
    toastError(messageOf(error))
  }
  const reset = useCall(makeResetLink, {
    onSuccess: (made) => {
      setAsking(null)
      setLink(made.link)
    },
    onError,
  })
  const end = useCall(endSessionsOf, {
    onSuccess: ({ message }) => {
      setAsking(null)
      toast({ title: message, variant: 'success' })
    },
    onError,
  })
  return (
    <>
      <DropdownMenu
        trigger={
          <Button variant="quiet" size="iconSmall" aria-label={`Actions for ${email}`}>
            <EllipsisVertical aria-hidden />
          </Button>
        }
      >
        {!isHolder && (
          <MenuItem onSelect={() => setAsking('link')}>
            <KeyRound aria-hidden />
            Make a link for a new password
          </MenuItem>
        )}
        <MenuItem onSelect={() => setAsking('sessions')}>
          <LogOut aria-hidden />
          Sign out everywhere
        </MenuItem>
      </DropdownMenu>
      <ConfirmDialog
        isOpen={asking === 'link'}
        onOpenChange={(isOpen) => !isOpen && !reset.isPending && setAsking(null)}
        title={`Make a link for ${email}?`}
        description="It sets a new password, and works once within an hour. Whoever opens it has the account: make sure who asks before you hand it over."
        confirmText={reset.isPending ? 'Making...' : 'Make the link'}
        isPending={reset.isPending}
        onConfirm={() => reset.mutate({ params: { id } })}
      />
      <ConfirmDialog
        isOpen={asking === 'sessions'}
        onOpenChange={(isOpen) => !isOpen && !end.isPending && setAsking(null)}
        title={`Sign ${email} out everywhere?`}
        description="Every browser has to log in again. The password stays as it is, and so do the passwords of mail programs."
        confirmText={end.isPending ? 'Signing out...' : 'Sign out'}
        isPending={end.isPending}
        onConfirm={() => end.mutate({ params: { id } })}
      />
      <MadeLink email={email} link={link} onClose={() => setLink('')} />
    </>
  )
}

function MadeLink({ email, link, onClose }: { email: string; link: string; onClose: () => void }) {
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => toast({ title: 'Copied', variant: 'success' }),
      () => toastError('The browser did not copy it. Please select it and copy it yourself.'),
    )
  return (
    <Dialog
      isOpen={link !== ''}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="The link"
      description={`For ${email}. It is shown once.`}
      footer={<Button onClick={() => void copy()}>Copy</Button>}
    >
      <Field label="Link for a new password">
        {(control) => (
          <Input {...control} readOnly value={link} onFocus={(event) => event.target.select()} />
        )}
      </Field>
    </Dialog>
  )
}

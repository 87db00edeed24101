/** The columns of the mailbox table. In a narrow place the first one shows everything. */
import { useMemo } from 'react'
import { Link } from 'react-router'
import {
  type ListedMailbox,
  type Mailbox,
  type MailboxSort,
  mailboxSort,
} from '#contract/mailboxes.ts'
import { formatBytes, formatCount } from '#web/lib/format.ts'
import { shownHost } from '#web/lib/spelling/shown-host.ts'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { Status, type Tone } from '#web/ui/data/badge.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import type { Column, Sort } from '#web/ui/data/table-model.ts'
import { MailboxRowMenu } from './mailbox-row-menu.tsx'
import { useSendingStop } from './resume-dialog.tsx'
import { useUnicodeName } from './use-domain-choices.tsx'

const statuses = {
  active: { tone: 'good', text: 'Active' },
  suspended: { tone: 'warn', text: 'Suspended' },
  inactive: { tone: 'neutral', text: 'Inactive' },
} as const satisfies Record<Mailbox['status'], { tone: Tone; text: string }>

const unpaid: { tone: Tone; text: string } = { tone: 'warn', text: 'Suspended, not paid' }
const stopped: { tone: Tone; text: string } = { tone: 'bad', text: 'Sending stopped' }

/** Ids of the sortable columns. */
export const SORTABLE = ['email', 'name', 'domain', 'size', 'login']

/** The order in words of the server, which sorts by size and last sign-in; undefined: the browser sorts, once it has all rows. */
export const sortOfServer = (sort: Sort | null): MailboxSort | undefined =>
  sort === null
    ? undefined
    : mailboxSort.options.find((each) => each === `${sort.isDescending ? '-' : ''}${sort.id}`)

/** Orders that the list offers beside its columns: some of them are hidden in a narrow place. */
export const MAILBOX_ORDERS = [
  { label: 'Email address', id: 'email', isDescending: false },
  { label: 'Full name', id: 'name', isDescending: false },
  { label: 'Domain', id: 'domain', isDescending: false },
  { label: 'Largest first', id: 'size', isDescending: true },
  { label: 'Last sign-in first', id: 'login', isDescending: true },
  { label: 'Longest without sign-in', id: 'login', isDescending: false },
] as const

export function useMailboxColumns(
  canManage: boolean,
  onEdit: (mailbox: Mailbox) => void,
): readonly Column<ListedMailbox>[] {
  return useMemo(
    () => [
      {
        id: 'email',
        header: 'Email Address',
        value: (mailbox) => mailbox.email,
        isSortable: true,
        className: 'w-[42%] max-w-0 @max-3xl:w-full',
        cell: (mailbox) => <Address mailbox={mailbox} />,
      },
      {
        id: 'name',
        header: 'Full Name',
        value: (mailbox) => mailbox.fullName,
        isSortable: true,
        className: 'w-1/3 max-w-0 truncate @max-3xl:hidden',
        cell: ({ fullName, access }) => (
          <div className="grid">
            <span dir="auto" className="block truncate text-left">
              {fullName}
            </span>
            <AccessLine access={access} />
          </div>
        ),
      },
      {
        id: 'domain',
        header: 'Domain',
        value: (mailbox) => mailbox.domain,
        isSortable: true,
        className: 'w-1/4 max-w-0 truncate @max-3xl:hidden',
        cell: ({ domain, usedBytes }) => (
          <div className="grid">
            <DomainName name={domain} />
            <span className="text-soft text-xs @6xl:hidden">{formatBytes(usedBytes)} of mail</span>
          </div>
        ),
      },
      {
        id: 'size',
        header: 'Size',
        value: ({ usedBytes }) => usedBytes,
        isSortable: true,
        align: 'right',
        className: 'w-px whitespace-nowrap tabular-nums @max-6xl:hidden',
        cell: ({ usedBytes }) => formatBytes(usedBytes),
      },
      {
        id: 'login',
        header: 'Last sign-in',
        value: ({ access }) => access.lastLoginAt ?? '',
        isSortable: true,
        className: 'w-px whitespace-nowrap @max-6xl:hidden',
        cell: ({ access: { lastLoginAt } }) =>
          lastLoginAt && <Ago at={lastLoginAt} className="text-soft text-xs" />,
      },
      {
        id: 'actions',
        header: 'Actions',
        isHeaderHidden: true,
        className: 'w-px',
        cell: (mailbox) => (
          <MailboxRowMenu mailbox={mailbox} canManage={canManage} onEdit={() => onEdit(mailbox)} />
        ),
      },
    ],
    [canManage, onEdit],
  )
}

function DomainName({ name }: { name: string }) {
  const unicodeNameOf = useUnicodeName()
  return (
    <span title={name} className="truncate">
      {unicodeNameOf(name)}
    </span>
  )
}

/** Who can read the mailbox beside its maker, and whether they came. */
function AccessLine({ access }: Pick<ListedMailbox, 'access'>) {
  const { state, name, readers, lastLoginAt, linkMailedTo } = access
  if (state === 'holder')
    return (
      <span className="truncate text-soft text-xs">
        {lastLoginAt ? (
          <>
            Signed in <Ago at={lastLoginAt} />
          </>
        ) : (
          'Never signed in'
        )}
      </span>
    )
  const more = readers > 1 ? ` and ${formatCount(readers - 1)} more` : ''
  const text = {
    none: 'No access yet',
    expired: 'Link expired',
    link: linkMailedTo === null ? 'Link not used yet' : `Link sent to ${linkMailedTo}`,
    readers: `Read by ${name}${more}`,
  }[state]
  return (
    <span
      title={text}
      className={cn(
        'block truncate text-xs',
        state === 'none' || state === 'expired' ? 'text-warn' : 'text-soft',
      )}
    >
      {text}
    </span>
  )
}

/** The address links to its mail. Its status stands beside it; in a narrow place the name too. */
function Address({ mailbox }: { mailbox: ListedMailbox }) {
  const stop = useSendingStop(mailbox._id)
  const { tone, text } =
    stop && mailbox.status === 'active'
      ? stopped
      : mailbox.isOverdue
        ? unpaid
        : statuses[mailbox.status]
  return (
    <div className="flex min-w-0 gap-x-2.5 gap-y-0.5 @max-3xl:flex-col @3xl:items-center">
      <Link
        to={paths.viewMail({ mailbox: mailbox._id })}
        title={mailbox.email}
        className="wrap-anywhere rounded font-medium underline-offset-4 hover:underline @3xl:truncate"
      >
        {mailbox.email.slice(0, -mailbox.domain.length - 1)}
        <wbr />@{shownHost(mailbox.domain)}
      </Link>
      <div className="flex min-w-0 items-center gap-2 @3xl:shrink-0">
        <Status tone={tone}>{text}</Status>
        <span dir="auto" className="truncate text-soft text-xs @3xl:hidden">
          {mailbox.fullName}
        </span>
      </div>
      <span className="@3xl:hidden">
        <AccessLine access={mailbox.access} />
      </span>
    </div>
  )
}

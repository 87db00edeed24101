/** The columns of the mailbox table. In a narrow place the first one says everything. */
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { Mailbox } from '#contract/mailboxes.ts'
import { paths } from '#web/paths.ts'
import { Status, type Tone } from '#web/ui/data/badge.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { MailboxRowMenu } from './mailbox-row-menu.tsx'
import { useSendingStop } from './resume-dialog.tsx'
import { useUnicodeName } from './use-domain-choices.tsx'

const statuses = {
  active: { tone: 'good', text: 'Active' },
  suspended: { tone: 'warn', text: 'Suspended' },
  inactive: { tone: 'neutral', text: 'Inactive' },
} as const satisfies Record<Mailbox['status'], { tone: Tone; text: string }>

const stopped: { tone: Tone; text: string } = { tone: 'bad', text: 'Sending stopped' }

/** Ids of the columns that can be sorted by. */
export const SORTABLE = ['email', 'name', 'domain']

export function useMailboxColumns(
  canManage: boolean,
  onEdit: (mailbox: Mailbox) => void,
): readonly Column<Mailbox>[] {
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
        cell: ({ fullName }) => (
          <span dir="auto" className="block truncate text-left">
            {fullName}
          </span>
        ),
      },
      {
        id: 'domain',
        header: 'Domain',
        value: (mailbox) => mailbox.domain,
        isSortable: true,
        className: 'w-1/4 max-w-0 truncate @max-3xl:hidden',
        cell: ({ domain }) => <DomainName name={domain} />,
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
  return <span title={name}>{unicodeNameOf(name)}</span>
}

/** The address leads to its mail; beside it stands what it may do, in a narrow place also whose it is. */
function Address({ mailbox }: { mailbox: Mailbox }) {
  const stop = useSendingStop(mailbox._id)
  const { tone, text } = stop && mailbox.status === 'active' ? stopped : statuses[mailbox.status]
  return (
    <div className="flex min-w-0 gap-x-2.5 gap-y-0.5 @max-3xl:flex-col @3xl:items-center">
      <Link
        to={paths.viewMail({ mailbox: mailbox._id })}
        title={mailbox.email}
        className="wrap-anywhere rounded font-medium underline-offset-4 hover:underline @3xl:truncate"
      >
        {mailbox.email.slice(0, -mailbox.domain.length - 1)}
        <wbr />@{mailbox.domain}
      </Link>
      <div className="flex min-w-0 items-center gap-2 @3xl:shrink-0">
        <Status tone={tone}>{text}</Status>
        <span dir="auto" className="truncate text-soft text-xs @3xl:hidden">
          {mailbox.fullName}
        </span>
      </div>
    </div>
  )
}

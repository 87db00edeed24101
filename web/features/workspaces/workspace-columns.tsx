/** The columns of the list of workspaces. In a narrow place the first one shows everything. */
import { useMemo } from 'react'
import { formatCents } from '#contract/money.ts'
import type { WorkspaceFigures } from '#contract/stats.ts'
import { formatBytes, formatCount, isNearlyFull } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import type { Column } from '#web/ui/data/table-model.ts'

type Row = WorkspaceFigures

/** Ids of the sortable columns. */
export const sortable = ['name', 'domains', 'mailboxes', 'members', 'storage', 'month', 'due']

export function useWorkspaceColumns(
  rows: readonly Row[],
  onChoose: (id: string) => void,
): readonly Column<Row>[] {
  const hasMembers = rows.some(({ members }) => members !== null)
  const hasBills = rows.some(({ bill }) => bill !== null)
  return useMemo(
    () => [
      {
        id: 'name',
        header: 'Name',
        value: ({ name }) => name,
        isSortable: true,
        className: 'w-[30%] max-w-0 @max-3xl:w-full',
        cell: (row) => <Name row={row} onChoose={() => onChoose(row._id)} />,
      },
      {
        id: 'domains',
        header: 'Domains',
        value: ({ domains }) => domains.total,
        isSortable: true,
        className: 'tabular-nums @max-3xl:hidden',
        cell: ({ domains }) => <Domains domains={domains} />,
      },
      {
        id: 'mailboxes',
        header: 'Mailboxes',
        value: ({ mailboxes }) => mailboxes.total,
        isSortable: true,
        className: 'tabular-nums @max-3xl:hidden',
        cell: ({ mailboxes }) => <Mailboxes mailboxes={mailboxes} />,
      },
      {
        id: 'storage',
        header: 'Storage',
        value: ({ storage }) => storage.usedBytes,
        isSortable: true,
        className: 'w-px whitespace-nowrap tabular-nums @max-5xl:hidden',
        cell: ({ storage }) => <Storage storage={storage} />,
      },
      ...(hasMembers ? [membersColumn] : []),
      ...(hasBills ? billColumns : []),
    ],
    [hasMembers, hasBills, onChoose],
  )
}

const NOT_SHOWN = -1

const membersColumn: Column<Row> = {
  id: 'members',
  header: 'Members',
  value: ({ members }) => members ?? NOT_SHOWN,
  isSortable: true,
  align: 'right',
  className: 'w-px tabular-nums @max-5xl:hidden',
  cell: ({ members }) => (members === null ? null : formatCount(members)),
}

const billColumns: Column<Row>[] = [
  {
    id: 'month',
    header: 'This month',
    value: ({ bill }) => bill?.monthCents ?? NOT_SHOWN,
    isSortable: true,
    align: 'right',
    className: 'w-px whitespace-nowrap tabular-nums @max-3xl:hidden',
    cell: ({ bill }) => bill && formatCents(bill.monthCents, bill.currency),
  },
  {
    id: 'due',
    header: 'Due',
    value: ({ bill }) => bill?.dueCents ?? NOT_SHOWN,
    isSortable: true,
    align: 'right',
    className: 'w-px whitespace-nowrap tabular-nums @max-3xl:hidden',
    cell: ({ bill }) => bill && <Due bill={bill} />,
  },
]

type NameProps = { row: Row; onChoose: () => void }

/** In a narrow table the values of hidden columns stand here too. */
function Name({ row, onChoose }: NameProps) {
  const { name, role, isCurrent, domains, mailboxes, storage, members, bill } = row
  return (
    <div className="grid gap-0.5">
      <button
        type="button"
        dir="auto"
        title={name}
        onClick={onChoose}
        className="wrap-anywhere @3xl:truncate max-w-full justify-self-start py-0.5 text-left font-medium underline-offset-4 hover:underline"
      >
        {name}
      </button>
      <span className="text-soft text-xs">
        {role}
        {isCurrent && ', open now'}
      </span>
      <div className="grid gap-0.5 pt-1 text-xs tabular-nums @3xl:hidden">
        <Domains domains={domains} unit="domain" />
        <Mailboxes mailboxes={mailboxes} unit="mailbox" />
        <span className="flex flex-wrap gap-x-3 text-soft">
          <Storage storage={storage} />
          {members !== null && (
            <span>
              {formatCount(members)} {members === 1 ? 'member' : 'members'}
            </span>
          )}
          {bill && (
            <span>
              {formatCents(bill.monthCents, bill.currency)} this month
              {bill.dueCents > 0 && `, ${formatCents(bill.dueCents, bill.currency)} due`}
            </span>
          )}
        </span>
      </div>
    </div>
  )
}

const plurals = { domain: 'domains', mailbox: 'mailboxes' } as const

type Unit = { unit?: keyof typeof plurals }

const counted = (count: number, { unit }: Unit) =>
  unit ? `${formatCount(count)} ${count === 1 ? unit : plurals[unit]}` : formatCount(count)

/** The count, and below it what is not as it should be. */
function Domains({ domains, unit }: Pick<Row, 'domains'> & Unit) {
  const { total, needWork } = domains
  return (
    <div className={cn(unit ? 'flex flex-wrap gap-x-3' : 'grid')}>
      <span>{counted(total, unit ? { unit } : {})}</span>
      <Remarks
        remarks={[
          {
            count: needWork,
            text: needWork === 1 ? 'needs work' : 'need work',
            style: 'font-medium text-bad',
          },
        ]}
      />
    </div>
  )
}

function Mailboxes({ mailboxes, unit }: Pick<Row, 'mailboxes'> & Unit) {
  const { total, suspended, inactive } = mailboxes
  return (
    <div className={cn(unit ? 'flex flex-wrap gap-x-3' : 'grid')}>
      <span>{counted(total, unit ? { unit } : {})}</span>
      <Remarks
        remarks={[
          { count: inactive, text: 'not paid', style: 'text-warn' },
          { count: suspended, text: 'suspended', style: 'text-soft' },
        ]}
      />
    </div>
  )
}

type Remark = { count: number; text: string; style: string }

function Remarks({ remarks }: { remarks: readonly Remark[] }) {
  const shown = remarks.filter(({ count }) => count > 0)
  if (shown.length === 0) return null
  return (
    <span className="flex flex-wrap gap-x-2 text-xs">
      {shown.map(({ count, text, style }) => (
        <span key={text} className={cn('whitespace-nowrap', style)}>
          {formatCount(count)} {text}
        </span>
      ))}
    </span>
  )
}

function Storage({ storage: { usedBytes, quotaBytes } }: Pick<Row, 'storage'>) {
  const percent = quotaBytes === 0 ? 0 : (100 * usedBytes) / quotaBytes
  return (
    <span className={cn('text-xs', isNearlyFull(percent) ? 'font-medium text-bad' : 'text-soft')}>
      {formatBytes(usedBytes)} of {formatBytes(quotaBytes)}
    </span>
  )
}

function Due({ bill: { dueCents, dueInvoices, currency } }: { bill: NonNullable<Row['bill']> }) {
  if (dueInvoices === 0) return <span className="text-soft">Nothing</span>
  return (
    <div className="grid">
      <span>{formatCents(dueCents, currency)}</span>
      <span className="text-soft text-xs">
        {formatCount(dueInvoices)} {dueInvoices === 1 ? 'invoice' : 'invoices'}
      </span>
    </div>
  )
}

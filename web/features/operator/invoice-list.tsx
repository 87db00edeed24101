import { ReceiptText } from 'lucide-react'
import { Suspense, useState } from 'react'
import { invoice } from '#contract/billing.ts'
import { formatAmount } from '#contract/money.ts'
import {
  invoiceOrder,
  listOperatedInvoices,
  type OperatedInvoice,
} from '#contract/operator/invoices.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { formatUtcDate } from '#web/lib/format.ts'
import { useListFilters } from '#web/lib/list-filters.ts'
import type { Cell } from '#web/paged-lists/export-button.tsx'
import { PagedTable, usePagedList } from '#web/paged-lists/paged-table.tsx'
import { paths } from '#web/paths.ts'
import { Status } from '#web/ui/data/badge.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { LinkedLine } from './lists/cells.tsx'

const MoneyDialog = lazyPart(async () => (await import('./money-dialog.tsx')).MoneyDialog)

const states = invoice.shape.status.options
const ALL = 'all'

export function InvoiceList() {
  const { filters, setFilters } = useListFilters(['state'])
  const state = states.find((each) => each === filters.state) ?? ''
  const { place, answer, read } = usePagedList(
    listOperatedInvoices,
    invoiceOrder.options,
    state === '' ? {} : { only: state },
  )
  return (
    <PagedTable
      label="invoices"
      title={(count) => `Invoices: ${count}`}
      place={place}
      answer={answer}
      columns={columns}
      getRowId={({ _id }) => _id}
      exported={{ name: 'invoices', cells, read }}
      actions={
        <>
          <div className="w-36">
            <Select
              aria-label="State"
              value={state === '' ? ALL : state}
              onValueChange={(next) => setFilters({ state: next === ALL ? '' : next })}
              options={[
                { value: ALL, label: 'All states' },
                ...states.map((each) => ({ value: each, label: each })),
              ]}
            />
          </div>
          <Accountant />
        </>
      }
      empty={
        <EmptyState
          icon={ReceiptText}
          title={state === '' ? 'No invoice yet' : `No invoice is ${state.toLowerCase()}`}
          description="The invoices of all workspaces are listed here."
        />
      }
    />
  )
}

function Accountant() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        For the accountant
      </Button>
      <Suspense>{isOpen && <MoneyDialog onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}

const tones = { Due: 'warn', Paid: 'good', Credited: 'neutral' } as const

export function PaidState({ status }: Pick<OperatedInvoice, 'status'>) {
  return <Status tone={tones[status]}>{status}</Status>
}

const cells: readonly Cell<OperatedInvoice>[] = [
  ['Number', ({ number }) => number],
  ['Kind', ({ kind }) => (kind === 'credit' ? 'Credit note' : 'Invoice')],
  ['Workspace', ({ workspaceName }) => workspaceName],
  ['Buyer', ({ buyer }) => buyer],
  ['Mailboxes', ({ mailboxes }) => mailboxes],
  ['Cents', ({ amountCents }) => amountCents],
  ['Currency', ({ currency }) => currency.toUpperCase()],
  ['State', ({ status }) => status],
  ['Date', ({ date }) => formatUtcDate(date)],
  ['Due', ({ dueAt }) => formatUtcDate(dueAt)],
  ['Paid', ({ paidAt }) => (paidAt === null ? '' : formatUtcDate(paidAt))],
]

const columns: readonly Column<OperatedInvoice>[] = [
  {
    id: 'number',
    header: 'Number',
    className: 'w-px whitespace-nowrap tabular-nums @max-2xl:w-full @max-2xl:max-w-0',
    cell: ({ _id, number, status, workspaceName }) => (
      <span className="grid @2xl:min-w-36">
        <LinkedLine text={number} to={paths.operatedInvoice(_id)} />
        <span className="@2xl:hidden truncate text-soft text-xs">
          {status}, {workspaceName}
        </span>
      </span>
    ),
  },
  {
    id: 'workspace',
    header: 'Workspace',
    className: 'w-full max-w-0 @max-2xl:hidden',
    cell: ({ workspaceId, workspaceName }) => (
      <LinkedLine text={workspaceName} to={paths.operatedWorkspace(workspaceId)} />
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    isSortable: true,
    align: 'right',
    className: 'w-px whitespace-nowrap tabular-nums',
    cell: ({ amountCents, currency }) => formatAmount(amountCents, currency),
  },
  {
    id: 'state',
    header: 'State',
    className: 'w-px whitespace-nowrap @max-2xl:hidden',
    cell: (row) => <PaidState status={row.status} />,
  },
  {
    id: 'created',
    header: 'Date',
    isSortable: true,
    className: 'w-px whitespace-nowrap tabular-nums @max-xl:hidden',
    cell: ({ date }) => formatUtcDate(date),
  },
]

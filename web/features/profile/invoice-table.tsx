import { useInfiniteQuery } from '@tanstack/react-query'
import { Lock, ReceiptText } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { type Invoice, listInvoices, type PaymentState } from '#contract/billing.ts'
import { getInstallation } from '#contract/installation.ts'
import { formatCents } from '#contract/money.ts'
import { memberCan } from '#contract/rights.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useRole } from '#web/lib/api/use-can.ts'
import { formatDate } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { Status, type Tone } from '#web/ui/data/badge.tsx'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'

/** The invoices of the workspace, loaded further while scrolling. */
export function InvoiceTable() {
  const role = useRole()
  const maySee = role !== undefined && memberCan(role, 'manage-billing')
  const invoices = useInvoices(maySee)
  const rows = useMemo(
    () => invoices.data?.pages.flatMap((page) => page.items) ?? [],
    [invoices.data],
  )
  if (role !== undefined && !maySee) return <AdminsOnly />
  if (invoices.isError && !invoices.data)
    return (
      <Card>
        <ErrorState
          title="Error loading invoices"
          description={messageOf(invoices.error)}
          onRetry={() => invoices.refetch()}
        />
      </Card>
    )
  return (
    <Card className="@container overflow-hidden">
      <DataTable
        label="Invoices"
        rows={rows}
        columns={columns}
        getRowId={(invoice) => invoice._id}
        bodyMaxHeight="34rem"
        isLoading={invoices.isPending}
        onEndReached={() => {
          if (invoices.hasNextPage && !invoices.isFetchingNextPage) void invoices.fetchNextPage()
        }}
        empty={<NoInvoices />}
      />
    </Card>
  )
}

function useInvoices(isWanted: boolean) {
  return useInfiniteQuery({
    queryKey: [listInvoices.path, 'pages'],
    meta: { reads: listInvoices.reads },
    enabled: isWanted,
    queryFn: ({ pageParam, signal }) =>
      call(listInvoices, { query: { limit: 50, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

const tones = { Due: 'warn', Paid: 'good', Credited: 'neutral' } as const satisfies Record<
  Invoice['status'],
  Tone
>

const columns: readonly Column<Invoice>[] = [
  {
    id: 'product',
    header: 'Product name',
    className: 'w-full max-w-0',
    cell: ({ _id, kind, productName, number, date }) => (
      <div className="grid min-w-0">
        <span className="truncate font-medium">{productName}</span>
        <span className="flex flex-wrap gap-x-2 text-soft text-xs">
          <Link
            to={paths.invoice(_id)}
            className="rounded-sm text-accent-ink underline-offset-4 hover:underline max-md:py-1"
          >
            {kind === 'credit' && 'Credit note '}
            {number}
          </Link>
          <LocalTime at={date} format={formatDate} className="@lg:hidden" />
        </span>
      </div>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    className: 'tabular-nums',
    cell: ({ amountCents, currency }) => formatCents(amountCents, currency),
  },
  {
    id: 'date',
    header: 'Date',
    className: 'whitespace-nowrap @max-lg:hidden',
    cell: ({ date }) => <LocalTime at={date} format={formatDate} />,
  },
  {
    id: 'status',
    header: 'Status',
    className: '@lg:whitespace-nowrap',
    cell: ({ status, payment }) => (
      <div className="grid justify-items-start gap-0.5">
        <Status tone={tones[status]}>{status}</Status>
        {payment && <span className="text-soft text-xs">{paymentWords[payment.state]}</span>}
      </div>
    ),
  },
]

const paymentWords = {
  confirming: 'Being confirmed',
  failed: 'Card refused',
  'needs confirmation': 'Needs confirmation',
  disputed: 'Disputed',
  'given back': 'Given back',
  'taken back': 'Taken back by the bank',
} as const satisfies Record<PaymentState, string>

function NoInvoices() {
  const installation = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  const isFree = installation.data?.billing === 'off'
  return (
    <EmptyState
      icon={ReceiptText}
      title="No invoices yet"
      description={
        isFree
          ? 'Mailboxes cost nothing here.'
          : 'The first one is made when you pay for a mailbox, and then one each month.'
      }
      action={
        <Button variant="secondary" asChild>
          <Link to={paths.mailboxes()}>Go to Mailboxes</Link>
        </Button>
      }
    />
  )
}

function AdminsOnly() {
  return (
    <Card>
      <EmptyState
        icon={Lock}
        title="Only an Admin can see this"
        description="Invoices are for the Admins of the workspace."
      />
    </Card>
  )
}

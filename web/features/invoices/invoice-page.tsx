/** An invoice or a credit note as a document: to read, to print, and to save as a PDF file. */
import { useMutation } from '@tanstack/react-query'
import { Download, Lock, Printer } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { getInvoice, getInvoicePdf, type InvoiceDocument } from '#contract/billing.ts'
import { open } from '#web/lib/api/api.ts'
import { type ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { addressOf } from '#web/lib/api/client.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan, useIsRoleKnown } from '#web/lib/api/use-can.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { saveAs } from '#web/lib/save-as.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { CardPayment } from './card-payment.tsx'
import { InvoicePaper, titleOf } from './invoice-paper.tsx'
import { InvoiceState } from './invoice-state.tsx'

export function InvoicePage() {
  const { id = '' } = useParams()
  const maySee = useCan('manage-billing')
  // Loads the invoice only when the role of this member is known.
  const isKnown = useIsRoleKnown()
  const { data, error, refetch } = useApi(
    getInvoice,
    { params: { id } },
    { enabled: maySee && isKnown },
  )
  const title = data ? `${titleOf(data)} ${data.number}` : 'Invoice'
  usePageTitle(title)
  return (
    <div className="grid max-w-4xl gap-6 print:max-w-none">
      <div className="print:hidden">
        <PageHeading
          title={title}
          {...(data && { subtitle: <InvoiceState invoice={data} /> })}
          actions={data && <Actions invoice={data} />}
        />
      </div>
      {!maySee ? (
        <AdminsOnly />
      ) : error && !data ? (
        <Unreadable error={error} onRetry={() => refetch()} />
      ) : data ? (
        <>
          <CardPayment key={data._id} invoice={data} />
          <InvoicePaper invoice={data} />
        </>
      ) : (
        <Loading />
      )}
    </div>
  )
}

export const loadInvoice: LoadPage = ({ ask, params: { id = '' } }) =>
  ask(getInvoice, { params: { id } })

/** Then to pay it is what comes next, and no file. */
const isToPay = ({ isByCard, kind, status }: InvoiceDocument): boolean =>
  isByCard && kind === 'invoice' && status === 'Due'

function Actions({ invoice }: { invoice: InvoiceDocument }) {
  const download = useMutation({
    mutationFn: async () => {
      const file = await open(addressOf(getInvoicePdf, { params: { id: invoice._id } }))
      saveAs(await file.blob(), `${invoice.number}.pdf`)
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <>
      <Button variant="secondary" onClick={() => window.print()}>
        <Printer aria-hidden />
        Print
      </Button>
      <Button
        variant={isToPay(invoice) ? 'secondary' : 'primary'}
        isPending={download.isPending}
        onClick={() => download.mutate()}
      >
        {!download.isPending && <Download aria-hidden />}
        Download PDF
      </Button>
    </>
  )
}

function ToBilling() {
  return (
    <Button variant="secondary" asChild>
      <Link to={paths.profile({ tab: 'billing' })}>Go to Billing</Link>
    </Button>
  )
}

function Unreadable({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const isMissing = error.type === 'NOT_EXISTS'
  return (
    <Card>
      <ErrorState
        title={isMissing ? 'This invoice is not in your workspace' : 'Error loading the invoice'}
        description={isMissing ? 'It may belong to another workspace of yours.' : error.message}
        {...(isMissing ? {} : { onRetry })}
        action={<ToBilling />}
      />
    </Card>
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

function Loading() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <Skeleton className="h-96 w-full rounded-card" />
    </>
  )
}

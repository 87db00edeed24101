import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { IDEMPOTENCY_HEADER, type Invoice, type Price, pay } from '#contract/billing.ts'
import { getInstallation } from '#contract/installation.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { formatCents, formatRate } from '#contract/money.ts'
import { getStats } from '#contract/stats.ts'
import { getSavedCard, openCheckout } from '#contract/workspace/card-payments.ts'
import { type BuyerForm, saveBuyer } from '#contract/workspaces.ts'
import { useWorkspace } from '#web/deletions/workspace-end.tsx'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { readAgain, useApi } from '#web/lib/api/use-api.ts'
import { formatCount, formatUtcDate } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Buyer, useBuyer } from './buyer-fields.tsx'
import { domainsOf, PaidNames } from './paid-names.tsx'

/** Mailboxes per payment. */
const MAX_PER_PAYMENT = 1000
const NAMES_SHOWN = 5
const DAY_MS = 86_400_000

const mailboxesOf = (count: number) =>
  count === 1 ? '1 mailbox' : `${formatCount(count)} mailboxes`

type ConfirmPaymentProps = {
  mailboxes: readonly Mailbox[]
  /** 'this import': where they come from; absent: they were selected. */
  from?: string
  price: Price
  onPaid: (ids: readonly string[]) => void
  onClose: () => void
}

/** Says who pays whom, for which days, until when and what recurs, before Pay is pressed (decision 061). */
export function ConfirmPayment(props: ConfirmPaymentProps) {
  const { mailboxes, from, price, onPaid, onClose } = props
  // Pays what was selected when the dialog opened.
  const [chosen] = useState(mailboxes)
  const payment = usePayment(chosen, () => {
    onPaid(chosen.map(({ _id }) => _id))
    onClose()
  })
  const buyer = useBuyer()
  const workspaceName = useWorkspace()?.name ?? 'this one'
  const total = formatCents(chosen.length * price.cents, price.currency)
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !payment.isPending && onClose()}
      title={`Pay ${total} for ${mailboxesOf(chosen.length)}?`}
      description={<WhatIsAgreed {...{ chosen, from, price, total }} />}
      confirmText={payment.isPending ? 'Paying...' : `Pay ${total}`}
      isDangerous={false}
      isPending={payment.isPending}
      onConfirm={() => buyer.check((changed) => payment.mutate(changed))}
    >
      {chosen.length > NAMES_SHOWN && <PaidNames mailboxes={chosen} />}
      <Buyer {...buyer} workspaceName={workspaceName} />
    </ConfirmDialog>
  )
}

type AgreedProps = {
  chosen: readonly Mailbox[]
  from: string | undefined
  price: Price
  total: string
}

function WhatIsAgreed({ chosen, from, price, total }: AgreedProps) {
  const { cents, currency, taxName, taxRate, seller, dueDays } = price
  const named = chosen.slice(0, NAMES_SHOWN).map((mailbox) => mailbox.email)
  const more = chosen.length - named.length
  const isOne = chosen.length === 1
  const each = formatCents(cents, currency)
  const tax = taxRate > 0 ? `, with ${formatRate(taxRate)} ${taxName}` : ''
  const month = monthOf(new Date())
  const dueAt = formatUtcDate(new Date(Date.now() + dueDays * DAY_MS).toISOString())
  const byCard = useCardWords(chosen.length)
  return (
    <>
      We make an invoice of {total} for this calendar month ({each} a mailbox{tax}), and{' '}
      {isOne ? 'the mailbox becomes' : 'the mailboxes become'} active{' '}
      {byCard ? 'when it is paid' : 'at once'}.
      <span className="mt-4 grid gap-1.5 border-line border-t pt-4">
        <Which {...{ chosen, from }} />
        <Agreed name={isOne ? 'Mailbox' : 'Mailboxes'}>
          {named.slice(0, -1).map((email) => (
            <span key={email} className="block">
              {email},
            </span>
          ))}
          {named.at(-1)}
          {more > 0 && ` and ${formatCount(more)} more`}
        </Agreed>
        <Agreed name="Whom you pay">
          {seller}, {byCard?.how ?? 'by the invoice. Nothing is charged now'}
        </Agreed>
        <Agreed name="For">
          {formatUtcDate(month.start)} to {formatUtcDate(month.end)}: a part of a month costs as
          much as the whole
        </Agreed>
        <Agreed name="Due">{dueAt}. The Admins get the invoice by mail, as a PDF file</Agreed>
        <Agreed name="Each month">
          {each} for {isOne ? 'it' : 'each of them'}, until the mailbox is deleted. The next invoice
          comes on {formatUtcDate(month.next)}
        </Agreed>
      </span>
    </>
  )
}

/** null: the invoice is paid in another way. */
function useCardWords(count: number): { how: string } | null {
  const installation = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY }).data
  const isByCard = installation?.billing === 'stripe'
  const saved = useApi(getSavedCard, {}, { enabled: isByCard }).data?.card
  if (!isByCard) return null
  return {
    how: saved
      ? `by ${saved.brand} ending ${saved.last4}, which is charged now`
      : `by card, on the next page. The card is saved and pays the next months, too${inParts(count)}`,
  }
}

const inParts = (count: number): string => {
  const invoices = Math.ceil(count / MAX_PER_PAYMENT)
  return invoices < 2
    ? ''
    : `. These are ${invoices} invoices of up to ${formatCount(MAX_PER_PAYMENT)} mailboxes: the next page asks for the first, and the same card is charged for the others at once`
}

/** Of what is not paid for these and no others. */
function Which({ chosen, from }: Pick<AgreedProps, 'chosen' | 'from'>) {
  const unpaid = useApi(getStats, {}).data?.mailboxes.inactive
  if (unpaid === undefined) return null
  const left = Math.max(0, unpaid - chosen.length)
  const these = from ? `Those of ${from}` : 'Those that are selected'
  return (
    <Agreed name="Which">
      {left === 0 ? 'All that are not paid for' : these}: {domainsOf(chosen)}
      {left > 0 && `. ${formatCount(left)} more ${left === 1 ? 'stays' : 'stay'} unpaid`}
    </Agreed>
  )
}

/** The calendar month in UTC, as the server bills it: its first and last day, and the first of the next. */
const monthOf = (now: Date) => {
  const day = (months: number, days: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, days)).toISOString()
  return { start: day(0, 1), end: day(1, 0), next: day(1, 1) }
}

/** In a description, which is a paragraph: so no list. */
function Agreed({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className="grid gap-x-3 sm:grid-cols-[7rem_1fr]">
      <span>{name}</span>
      <span className="wrap-anywhere text-ink">{children}.</span>
    </span>
  )
}

function usePayment(chosen: readonly Mailbox[], onPaid: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  // A retry after a lost answer must not create a second invoice.
  const keys = useRef(new Map<number, string>())
  const keyAt = (index: number) => {
    const key = keys.current.get(index) ?? randomKey()
    keys.current.set(index, key)
    return key
  }
  const showInvoices = ([invoice, ...others]: readonly Invoice[]) =>
    void navigate(
      invoice && others.length === 0
        ? paths.invoice(invoice._id)
        : paths.profile({ tab: 'billing' }),
    )
  /** Stripe's page of the first, whose card then pays the others; or the invoices that the saved card pays. */
  const payByCard = async (invoices: readonly Invoice[], first: Invoice) => {
    const { card } = await call(getSavedCard, {})
    if (card !== null) return showInvoices(invoices)
    const { url } = await call(openCheckout, { params: { id: first._id } })
    window.location.assign(url)
  }
  return useMutation({
    mutationFn: async (buyer: BuyerForm | null) => {
      if (buyer) {
        await call(saveBuyer, { body: buyer })
        void readAgain(client, saveBuyer)
      }
      const ids = chosen.map((mailbox) => mailbox._id)
      const invoices: Invoice[] = []
      for (let at = 0; at < ids.length; at += MAX_PER_PAYMENT) {
        const mailboxIds = ids.slice(at, at + MAX_PER_PAYMENT)
        const headers = { [IDEMPOTENCY_HEADER]: keyAt(at) }
        invoices.push(await call(pay, { body: { mailboxIds } }, { headers }))
      }
      return invoices
    },
    onSuccess: async (invoices) => {
      const [first] = invoices
      // The question stays until the next page is there.
      if (first?.isByCard) return payByCard(invoices, first).then(onPaid)
      onPaid()
      const [word, label] =
        invoices.length === 1 ? ['Invoice', 'View invoice'] : ['Invoices', 'View invoices']
      toast({
        title: `${mailboxesOf(chosen.length)} activated`,
        description: `${word} ${invoices.map(({ number }) => number).join(', ')}`,
        variant: 'success',
        action: { label, run: () => showInvoices(invoices) },
      })
    },
    onError: (error) => toastError(messageOf(error)),
    onSettled: () => readAgain(client, pay),
  })
}

/** `crypto.randomUUID` exists only on https and localhost. */
const randomKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { IDEMPOTENCY_HEADER, type Invoice, type Price, pay } from '#contract/billing.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { formatCents, formatRate } from '#contract/money.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { readAgain } from '#web/lib/api/use-api.ts'
import { formatCount, formatUtcDate } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

/** Mailboxes per payment. */
const MAX_PER_PAYMENT = 1000
const NAMES_SHOWN = 5
const DAY_MS = 86_400_000

const mailboxesOf = (count: number) =>
  count === 1 ? '1 mailbox' : `${formatCount(count)} mailboxes`

type ConfirmPaymentProps = {
  mailboxes: readonly Mailbox[]
  price: Price
  onPaid: () => void
  onClose: () => void
}

/** Says who sells, until when it is due and what recurs, before Pay is pressed. */
export function ConfirmPayment({ mailboxes, price, onPaid, onClose }: ConfirmPaymentProps) {
  // Pays what was selected when the dialog opened.
  const [chosen] = useState(mailboxes)
  const payment = usePayment(chosen, () => {
    onPaid()
    onClose()
  })
  const total = formatCents(chosen.length * price.cents, price.currency)
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !payment.isPending && onClose()}
      title={`Pay ${total} for ${mailboxesOf(chosen.length)}?`}
      description={<WhatIsAgreed chosen={chosen} price={price} total={total} />}
      confirmText={payment.isPending ? 'Paying...' : `Pay ${total}`}
      isDangerous={false}
      isPending={payment.isPending}
      onConfirm={() => payment.mutate()}
    />
  )
}

type AgreedProps = { chosen: readonly Mailbox[]; price: Price; total: string }

function WhatIsAgreed({ chosen, price, total }: AgreedProps) {
  const { cents, currency, taxName, taxRate, seller, dueDays } = price
  const named = chosen.slice(0, NAMES_SHOWN).map((mailbox) => mailbox.email)
  const more = chosen.length - named.length
  const isOne = chosen.length === 1
  const each = formatCents(cents, currency)
  const tax = taxRate > 0 ? `, with ${formatRate(taxRate)} ${taxName}` : ''
  const dueAt = formatUtcDate(new Date(Date.now() + dueDays * DAY_MS).toISOString())
  return (
    <>
      An invoice of {total} for this month is made ({each} a mailbox{tax}), and{' '}
      {isOne ? 'the mailbox becomes' : 'the mailboxes become'} active at once:
      {named.map((email) => (
        <span key={email} className="wrap-anywhere mt-1 block text-ink">
          {email}
        </span>
      ))}
      {more > 0 && <span className="mt-1 block">and {formatCount(more)} more</span>}
      <span className="mt-4 grid gap-1.5 border-line border-t pt-4">
        <Agreed name="Whom you pay">{seller}, by the invoice. Nothing is charged now</Agreed>
        <Agreed name="Due">{dueAt}. The Admins get the invoice by mail, as a PDF file</Agreed>
        <Agreed name="Each month">
          {each} for {isOne ? 'it' : 'each of them'}, until the mailbox is deleted
        </Agreed>
      </span>
    </>
  )
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
  return useMutation({
    mutationFn: async () => {
      const ids = chosen.map((mailbox) => mailbox._id)
      const invoices: Invoice[] = []
      for (let at = 0; at < ids.length; at += MAX_PER_PAYMENT) {
        const mailboxIds = ids.slice(at, at + MAX_PER_PAYMENT)
        const headers = { [IDEMPOTENCY_HEADER]: keyAt(at) }
        invoices.push(await call(pay, { body: { mailboxIds } }, { headers }))
      }
      return invoices
    },
    onSuccess: (invoices) => {
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

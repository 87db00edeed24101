/** Invoices, the limits of domains, and certificates. */
import { formatAmount } from '#contract/money.ts'
import type { OperatorVerb } from '#contract/operator/actions.ts'
import { type MoneyMonths, moneyMonths, type OperatedInvoice } from '#contract/operator/invoices.ts'
import {
  askAgain,
  listCertificates,
  revokeLater,
} from '#server/features/certificates/operate-certificates.ts'
import { limitMailboxes } from '#server/features/domains/limit-mailboxes.ts'
import { exportMoney } from '#server/features/operating/export-money.ts'
import { giveBack, listInvoices, settleInvoice } from '#server/features/operating/invoices.ts'
import { noteAction, type OperatorApp, TERMINAL } from '#server/features/operators/operators.ts'
import type { Table } from './answers.ts'
import { type Verb, WrongWords } from './verb.ts'

const MOST = 1_000

const noting =
  (verb: OperatorVerb) =>
  (subject = '', detail = '') => ({
    ...{ verb, workspaceId: null, subject, detail },
  })

const DEFAULT_LIMIT = 'as many mailboxes as DOMAIN_MAILBOX_LIMIT says'

const states = { due: 'Due', paid: 'Paid', credited: 'Credited' } as const

export const moneyVerbs: Record<string, Verb> = {
  'invoice list': {
    takes: '[due|paid|credited] [WORDS]',
    does: 'all invoices, or those in a state, or with the words in the number, the workspace or the buyer',
    words: [0, 2],
    run: (app, ...words) => listed(app, words),
  },
  'invoice paid': {
    takes: 'NUMBER',
    does: 'marks an invoice paid, for example MS-9F3A02-000042',
    words: [1, 1],
    run: async (app, number = '') =>
      `${described(await settleInvoice(app, TERMINAL, number, 'paid'))} is paid.`,
  },
  'invoice void': {
    takes: 'NUMBER',
    does: 'takes back what is due of an invoice, by a credit note',
    words: [1, 1],
    run: async (app, number = '') => {
      const credit = await settleInvoice(app, TERMINAL, number, 'void')
      return `${described(credit)} takes the invoice back. It is mailed as soon as Mailstead runs.`
    },
  },
  'invoice refund': {
    takes: 'NUMBER AMOUNT REASON',
    does: 'gives money of a payment by card back, with a credit note: invoice refund MS-9F3A02-000042 2.00 "One mailbox too many"',
    words: [3, 3],
    run: async (app, number = '', amount = '', note = '') => {
      const cents = /^\d{1,6}(\.\d{2})?$/.test(amount) ? Math.round(Number(amount) * 100) : 0
      if (cents === 0) throw new WrongWords('An amount is a number such as 2 or 2.50.')
      const invoice = await giveBack(app, TERMINAL, number, { cents, note })
      return `${formatAmount(cents, invoice.currency)} of ${invoice.number} is given back.`
    },
  },
  'invoice export': {
    takes: 'MONTH|QUARTER|MONTH..MONTH',
    does: 'invoices, credit notes, payments and refunds of 2026-11, 2026-Q4 or 2026-10..2027-01, as CSV for an accountant',
    words: [1, 1],
    run: async ({ db }, period = '') => (await exportMoney(db, monthsOf(period))).trimEnd(),
  },
  'domain limit': {
    takes: 'NAME NUMBER|default',
    does: 'allows a domain so many mailboxes, or as many as DOMAIN_MAILBOX_LIMIT says',
    words: [2, 2],
    run: async ({ db, clock }, name = '', limit = '') => {
      if (limit !== 'default' && !/^[1-9]\d{0,5}$/.test(limit))
        throw new WrongWords('A limit is a number from 1 to 999999, or default.')
      const wanted = limit === 'default' ? null : Number(limit)
      const { workspaceId } = await limitMailboxes(db, name, wanted)
      const action = { verb: 'domain limit', workspaceId, subject: name, detail: limit } as const
      await noteAction(db, clock.now(), TERMINAL, action)
      return `${name} may have ${limit === 'default' ? DEFAULT_LIMIT : `${limit} mailboxes`}.`
    },
  },
  'certificate list': {
    takes: '',
    does: 'the names that are to have a certificate, and what each waits for',
    words: [0, 0],
    run: async (app) => (await listCertificates(app)).join('\n') || 'None.',
  },
  'certificate ask': {
    takes: 'NAME',
    does: 'asks for it now, after the trouble was mended, or for another one',
    words: [1, 1],
    run: async (app, name = '') => {
      await askAgain(app, name)
      return `${name} is asked for within seconds, where Mailstead runs with ACME.`
    },
    notes: noting('certificate ask'),
  },
  'certificate revoke': {
    takes: 'NAME',
    does: 'revokes it since its key is known to others, and asks for another',
    words: [1, 1],
    run: async (app, name = '') => {
      await revokeLater(app, name)
      return `The certificate of ${name} is revoked within seconds, where Mailstead runs with ACME, and another one asked for.`
    },
    notes: noting('certificate revoke'),
  },
}

const monthsOf = (period: string): MoneyMonths => {
  const [, year, quarter] = /^(20\d\d)-Q([1-4])$/.exec(period) ?? []
  const ofQuarter = (month: number) =>
    `${year}-${String((Number(quarter) - 1) * 3 + month).padStart(2, '0')}`
  const [firstMonth, lastMonth = firstMonth] = quarter
    ? [ofQuarter(1), ofQuarter(3)]
    : period.split('..')
  const months = moneyMonths.safeParse({ firstMonth, lastMonth })
  if (!months.success)
    throw new WrongWords('A time is 2026-11, 2026-Q4, or months such as 2026-10..2027-01.')
  return months.data
}

const listed = async (app: OperatorApp, words: readonly string[]): Promise<Table> => {
  const [first = '', second] = words
  const only = Object.hasOwn(states, first) ? states[first as keyof typeof states] : undefined
  if (only === undefined && second !== undefined)
    throw new WrongWords('A state is due, paid or credited. Words with spaces stand in quotes.')
  const q = (only === undefined ? first : second) ?? ''
  const listing = { q, only, order: 'created', direction: 'down', limit: MOST } as const
  const { items, nextCursor } = await listInvoices(app, listing)
  return {
    head: ['number', 'workspace', 'mailboxes', 'amount', 'state', 'made', 'due', 'paid'],
    rows: items.map((each) => [
      ...[each.number, each.workspaceName, each.mailboxes],
      ...[formatAmount(each.amountCents, each.currency), each.status.toLowerCase()],
      ...[new Date(each.date), new Date(each.dueAt), each.paidAt && new Date(each.paidAt)],
    ]),
    none: 'No invoice.',
    hasMore: nextCursor !== null,
  }
}

const described = ({ number, mailboxes, amountCents, currency }: OperatedInvoice): string =>
  `${number} (Mailbox x ${mailboxes}, ${formatAmount(amountCents, currency)})`

/** Invoices, the limits of domains, and certificates. */
import type { Invoice } from '#contract/billing.ts'
import { formatAmount } from '#contract/money.ts'
import type { OperatorVerb } from '#contract/operator/actions.ts'
import { markInvoicePaid, voidInvoice } from '#server/features/billing/settle-invoice.ts'
import {
  askAgain,
  listCertificates,
  revokeLater,
} from '#server/features/certificates/operate-certificates.ts'
import { limitMailboxes } from '#server/features/domains/limit-mailboxes.ts'
import { type Verb, WrongWords } from './verb.ts'

const noting =
  (verb: OperatorVerb) =>
  (subject = '', detail = '') => ({
    ...{ verb, workspaceId: null, subject, detail },
  })

const DEFAULT_LIMIT = 'as many mailboxes as DOMAIN_MAILBOX_LIMIT says'

export const moneyVerbs: Record<string, Verb> = {
  'invoice paid': {
    takes: 'NUMBER',
    does: 'marks an invoice paid, for example MS-9F3A02-000042',
    words: [1, 1],
    run: async (app, number = '') => `${described(await markInvoicePaid(app, number))} is paid.`,
    notes: noting('invoice paid'),
  },
  'invoice void': {
    takes: 'NUMBER',
    does: 'takes back what is due of an invoice, by a credit note',
    words: [1, 1],
    run: async (app, number = '') => {
      const credit = await voidInvoice(app, number)
      return `${described(credit)} takes the invoice back. It is mailed as soon as Mailstead runs.`
    },
    notes: noting('invoice void'),
  },
  'domain limit': {
    takes: 'NAME NUMBER|default',
    does: 'allows a domain so many mailboxes, or as many as DOMAIN_MAILBOX_LIMIT says',
    words: [2, 2],
    run: async ({ db }, name = '', limit = '') => {
      if (limit !== 'default' && !/^[1-9]\d{0,5}$/.test(limit))
        throw new WrongWords('A limit is a number from 1 to 999999, or default.')
      await limitMailboxes(db, name, limit === 'default' ? null : Number(limit))
      return `${name} may have ${limit === 'default' ? DEFAULT_LIMIT : `${limit} mailboxes`}.`
    },
    notes: noting('domain limit'),
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

const described = ({ number, productName, amountCents, currency }: Invoice): string =>
  `${number} (${productName}, ${formatAmount(amountCents, currency)})`

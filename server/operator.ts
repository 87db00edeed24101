/** Commands for the operator's terminal, also while the program runs: `npm run operator -- invoice paid MS-9F3A02-000042`. */
import type { Invoice } from '#contract/billing.ts'
import { AppError } from '#contract/errors.ts'
import { formatAmount } from '#contract/money.ts'
import { readConfig } from './config.ts'
import { markInvoicePaid, voidInvoice } from './features/billing/settle-invoice.ts'
import { limitMailboxes } from './features/domains/limit-mailboxes.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { reasonOf, StartError } from './lib/ports/bound-ports.ts'
import type { Database } from './storage/database.ts'
import { visitStorage } from './storage/open-storage.ts'

const USAGE = `npm run operator -- invoice paid {number}          marks an invoice paid, for example MS-9F3A02-000042
npm run operator -- invoice void {number}          takes back what is due of an invoice, by a credit note
npm run operator -- domain limit {name} {number}   allows a domain so many mailboxes, for example example.com 1000
npm run operator -- domain limit {name} default    as many as DOMAIN_MAILBOX_LIMIT says`

type Place = { db: Database; clock: Clock }
type Verb = { words: number; run: (app: Place, ...words: string[]) => Promise<string> }

const verbs: Record<string, Verb> = {
  'invoice paid': {
    words: 1,
    run: async (app, number = '') => `${described(await markInvoicePaid(app, number))} is paid.`,
  },
  'invoice void': {
    words: 1,
    run: async (app, number = '') => {
      const credit = await voidInvoice(app, number)
      return `${described(credit)} takes the invoice back. It is mailed as soon as Mailstead runs.`
    },
  },
  'domain limit': {
    words: 2,
    run: async ({ db }, name = '', limit = '') => {
      if (limit !== 'default' && !/^[1-9]\d{0,5}$/.test(limit)) throw new StartError(USAGE)
      await limitMailboxes(db, name, limit === 'default' ? null : Number(limit))
      return `${name} may have ${limit === 'default' ? 'as many mailboxes as DOMAIN_MAILBOX_LIMIT says' : `${limit} mailboxes`}.`
    },
  },
}

const described = ({ number, productName, amountCents, currency }: Invoice): string =>
  `${number} (${productName}, ${formatAmount(amountCents, currency)})`

const change = async (verb: Verb, noun: string, words: string[]): Promise<string> => {
  const onError = () => {}
  const storage = await visitStorage(readConfig(), { onError })
  try {
    return await verb.run({ db: storage.db, clock: systemClock }, ...words)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const missing = noun === 'domain' ? 'verified domain' : noun
    throw new StartError(
      error.type === 'NOT_EXISTS' ? `There is no ${missing} ${words[0]}.` : error.message,
    )
  } finally {
    await storage.close()
  }
}

const [noun = '', name = '', ...words] = process.argv.slice(2)
try {
  const asked = `${noun} ${name}`
  const verb = Object.hasOwn(verbs, asked) ? verbs[asked] : undefined
  if (!verb || words.length !== verb.words) throw new StartError(USAGE)
  process.stdout.write(`${await change(verb, noun, words)}\n`)
} catch (error) {
  const isPlain = error instanceof StartError || !(error instanceof Error)
  process.stderr.write(`${isPlain ? reasonOf(error) : (error.stack ?? error.message)}\n`)
  process.exitCode = 1
}

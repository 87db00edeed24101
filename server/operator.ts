/** Commands for the operator's terminal, also while the program runs: `npm run operator -- invoice paid MS-9F3A02-000042`. */
import type { Invoice } from '#contract/billing.ts'
import { AppError } from '#contract/errors.ts'
import { formatAmount } from '#contract/money.ts'
import { readConfig } from './config.ts'
import { markInvoicePaid, voidInvoice } from './features/billing/settle-invoice.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { reasonOf, StartError } from './lib/ports/bound-ports.ts'
import type { Database } from './storage/database.ts'
import { visitStorage } from './storage/open-storage.ts'

const USAGE = `npm run operator -- invoice paid {number}    marks an invoice paid, for example MS-9F3A02-000042
npm run operator -- invoice void {number}    takes back what is due of an invoice, by a credit note`

type Verb = (app: { db: Database; clock: Clock }, number: string) => Promise<string>

const verbs: Record<string, Verb> = {
  paid: async (app, number) => `${described(await markInvoicePaid(app, number))} is paid.`,
  void: async (app, number) => {
    const credit = await voidInvoice(app, number)
    return `${described(credit)} takes the invoice back. It is mailed as soon as Mailstead runs.`
  },
}

const described = ({ number, productName, amountCents, currency }: Invoice): string =>
  `${number} (${productName}, ${formatAmount(amountCents, currency)})`

const changeInvoice = async (change: Verb, number: string): Promise<string> => {
  const onError = () => {}
  const storage = await visitStorage(readConfig(), { onError })
  try {
    return await change({ db: storage.db, clock: systemClock }, number)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new StartError(
      error.type === 'NOT_EXISTS' ? `There is no invoice ${number}.` : error.message,
    )
  } finally {
    await storage.close()
  }
}

const [noun, verb = '', number, ...more] = process.argv.slice(2)
try {
  const change = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (noun !== 'invoice' || !change || number === undefined || more.length > 0)
    throw new StartError(USAGE)
  process.stdout.write(`${await changeInvoice(change, number)}\n`)
} catch (error) {
  const isPlain = error instanceof StartError || !(error instanceof Error)
  process.stderr.write(`${isPlain ? reasonOf(error) : (error.stack ?? error.message)}\n`)
  process.exitCode = 1
}

/** Commands for the operator's terminal, also while the program runs: `npm run operator -- invoice paid MS-9F3A02-000042`. */
import { AppError } from '#contract/errors.ts'
import { formatAmount } from '#contract/money.ts'
import { readConfig } from './config.ts'
import { markInvoicePaid } from './features/billing/invoices.ts'
import { systemClock } from './lib/clock.ts'
import { reasonOf, StartError } from './lib/ports/bound-ports.ts'
import { visitStorage } from './storage/open-storage.ts'

const USAGE = `npm run operator -- invoice paid {number}    marks an invoice paid, for example MS-9F3A02-000042`

const invoicePaid = async (number: string): Promise<string> => {
  const onError = () => {}
  const storage = await visitStorage(readConfig(), { onError })
  try {
    const invoice = await markInvoicePaid({ db: storage.db, clock: systemClock }, number)
    const sum = formatAmount(invoice.amountCents, invoice.currency)
    return `${invoice.number} (${invoice.productName}, ${sum}) is paid.`
  } catch (error) {
    if (error instanceof AppError && error.type === 'NOT_EXISTS')
      throw new StartError(`There is no invoice ${number}.`)
    throw error
  } finally {
    await storage.close()
  }
}

const [noun, verb, number, ...more] = process.argv.slice(2)
try {
  if (noun !== 'invoice' || verb !== 'paid' || number === undefined || more.length > 0)
    throw new StartError(USAGE)
  process.stdout.write(`${await invoicePaid(number)}\n`)
} catch (error) {
  const isPlain = error instanceof StartError || !(error instanceof Error)
  process.stderr.write(`${isPlain ? reasonOf(error) : (error.stack ?? error.message)}\n`)
  process.exitCode = 1
}

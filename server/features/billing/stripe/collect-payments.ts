/** For a loop: charges saved cards, and asks Stripe what became of payments. A crash between any two steps is mended here. */
import type { App } from '#server/app.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { REMINDED_AFTER_DAYS } from '../unpaid-steps.ts'
import { beginPayment } from './begin-payment.ts'
import { readChargeable, readOpenRefunds, readPaymentsToLookAt, setPayment } from './card-store.ts'
import { lookAtPayment } from './look-at-payment.ts'
import { withdrawOutdated } from './orders.ts'
import { askForRefund } from './refund-payment.ts'

/** Until Stripe is asked again after a call that failed. */
const AGAIN_SECONDS = 30

/** One that fails does not keep the others waiting. @throws the first failure, at the end */
export const collectPayments = async (
  app: Pick<App, 'db' | 'clock' | 'config'>,
  isClosing: () => boolean = () => false,
): Promise<void> => {
  if (app.config.stripe === null) return
  const failures: unknown[] = []
  const trying = async (work: () => Promise<unknown>) => {
    if (isClosing()) return
    try {
      await work()
    } catch (error) {
      failures.push(error)
    }
  }
  for (const invoice of await findToCharge(app))
    await trying(async () => {
      const { workspaceId, invoiceId: id } = invoice
      if (!(await withdrawOutdated(app, { workspaceId, id })))
        await beginPayment(app, invoice, 'saved card')
    })
  for (const payment of await readPaymentsToLookAt(app.db, app.clock.now()))
    await trying(async () => {
      await setPayment(app.db, payment, { lookAt: secondsAfter(app.clock.now(), AGAIN_SECONDS) })
      // The page of an order outlives its month by half an hour at most.
      const { workspaceId, invoiceId: id, state } = payment
      if (state !== 'open' || !(await withdrawOutdated(app, { workspaceId, id })))
        await lookAtPayment(app, payment)
    })
  for (const refund of await readOpenRefunds(app.db)) await trying(() => askForRefund(app, refund))
  if (failures.length > 0) throw failures[0]
}

/** A card that was refused is tried again on the days of the reminders; another card at once. */
const findToCharge = async ({ db, clock }: Pick<App, 'db' | 'clock'>) =>
  (await readChargeable(db)).filter(({ dueAt, refusals }) => {
    const isDay = (days: number) => secondsAfter(dueAt, days * DAY_SECONDS) <= clock.now()
    return Number(refusals) <= REMINDED_AFTER_DAYS.filter(isDay).length
  })

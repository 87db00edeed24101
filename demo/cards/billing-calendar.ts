/**
 * The calendar of invoices in the demo. Its days pass when somebody asks, and each morning does what the jobs of that morning do;
 * all else keeps the time of this computer.
 */
import type { App } from '#server/app.ts'
import { followUnpaid } from '#server/features/billing/follow-unpaid.ts'
import { invoiceMonth } from '#server/features/billing/invoices.ts'
import { monthOf } from '#server/features/billing/issue-invoice.ts'
import { collectPayments } from '#server/features/billing/stripe/collect-payments.ts'
import { mailPayments } from '#server/features/billing/stripe/payment-mails.ts'
import { DAY_MS } from '#server/lib/clock.ts'
import type { StageAction } from '#test-world/stripe/page.ts'
import { atTime } from '../sample/at-time.ts'

const WEEK_DAYS = 7
const MORNING_MS = 6.5 * 3_600_000

const dayText = (at: Date): string =>
  at.toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

const midnightAfter = (at: Date, days: number): Date =>
  new Date((Math.floor(at.getTime() / DAY_MS) + days) * DAY_MS)

export const billingCalendar = (app: App): StageAction[] => {
  let today = app.clock.now()
  let passing: Promise<unknown> = Promise.resolve()

  const passTo = async (until: Date): Promise<string> => {
    let made = 0
    while (today < until) {
      today = new Date(midnightAfter(today, 1).getTime() + MORNING_MS)
      const then = atTime(app, today)
      made += await invoiceMonth(then)
      await followUnpaid(then)
      await collectPayments(then)
      await mailPayments(then)
    }
    return `For invoices it is ${dayText(today)} now. ${made === 1 ? 'One invoice was' : `${made} invoices were`} made.`
  }
  /** One after the other, so that no day passes twice. */
  const inTurn = (until: () => Date) => async (): Promise<string> => {
    const passed = passing.then(() => passTo(until()))
    passing = passed.catch(() => {})
    return passed
  }
  const nextMonth = () => monthOf(today).end
  return [
    {
      name: () => `Go on to ${dayText(nextMonth())}: the invoice of the month`,
      run: inTurn(nextMonth),
    },
    {
      name: () =>
        `Let a week pass after ${dayText(today)}: reminders, and cards that are tried again`,
      run: inTurn(() => midnightAfter(today, WEEK_DAYS)),
    },
  ]
}

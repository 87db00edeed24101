/** A process that works on payments by card until it is killed. One round for each line that it reads, which is the time. */
import { createInterface } from 'node:readline'
import { collectPayments } from '#server/features/billing/stripe/collect-payments.ts'
import { lookAtEvents } from '#server/features/billing/stripe/take-events.ts'
import { openDatabase } from '#server/storage/database.ts'
import { testConfig } from '../../app.ts'
import { aClock } from '../../clock.ts'

const { connection, stripe } = JSON.parse(process.env.WORKER ?? '')
const db = openDatabase({ connection, maxConnections: 2 }, () => {})
const clock = aClock()
const app = { db, clock, config: { ...testConfig('/nowhere'), billing: 'stripe' as const, stripe } }
console.log('ready')
for await (const line of createInterface(process.stdin)) {
  clock.set(new Date(line))
  const failed = () => {}
  await collectPayments(app).catch(failed)
  await lookAtEvents(app).catch(failed)
  console.log('done')
}

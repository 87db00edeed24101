/** A random history of two workspaces that pay by card, and what must be true of its money at its end. */
import { fetchMissedEvents } from '#server/features/billing/stripe/take-events.ts'
import type { TestApp } from '../../app.ts'
import { taxIdsOf } from '../../stripe/buyer.ts'
import type { StripeStage } from '../../stripe/stage.ts'
import { type Chance, chanceOf } from '../seeded.ts'
import { KilledWorker } from './killed-worker.ts'
import { NOTE, World } from './world.ts'

export type History = { faults: string[]; seen: Set<string> }

/** `isKilled`: a worker of its own does what workers do, and is killed by SIGKILL again and again. */
export const runHistory = async (
  app: TestApp,
  stage: StripeStage,
  { seed, steps, isKilled = false }: { seed: number; steps: number; isKilled?: boolean },
): Promise<History & { kills: number }> => {
  const chance = chanceOf(seed)
  const worker = isKilled ? new KilledWorker(app, stage, chance) : null
  app.clock.set(new Date('2026-11-20T12:00:00Z'))
  await rest(app, stage)
  const world = await World.open(app, stage, chance)
  world.worker = worker
  const seen = new Set<string>()
  const faults: string[] = []
  const log: string[] = []
  const names = Object.keys(world.actions)
  for (let step = 0; step < steps; step++) {
    const name = step === 0 ? 'order' : step === 1 ? 'pay' : pickOf(chance, names)
    if (step > 1 && !isKilled) world.breakCalls(12)
    const result = await world.actions[name]?.().then(
      () => 'done',
      (error: Error) => `refused: ${error.message}`,
    )
    stage.trouble = () => 'none'
    log.push(`${name} ${result}`)
    if (result === 'done') seen.add(name)
    faults.push(...(await twiceOf(world)).map((fault) => `after ${name}: ${fault}`))
    if (faults.length > 0) break
  }
  await worker?.close()
  await settle(world)
  faults.push(...(await faultsAtTheEnd(world, seen)))
  return { faults: faults.length > 0 ? [...faults, ...log] : [], seen, kills: worker?.kills ?? 0 }
}

/** What people do most comes most. */
const pickOf = (chance: Chance, names: readonly string[]): string =>
  chance.oneOf(['order', 'pay', 'pay', 'month', 'collect', 'collect', 'events', ...names])

/** Nothing of an earlier history is left to do. */
const rest = async (app: TestApp, stage: StripeStage): Promise<void> => {
  stage.events.waiting.splice(0)
  stage.events.all.splice(0)
  stage.trouble = () => 'none'
  const done = { lookAt: null, state: 'expired' as const }
  await app.db.updateTable('cardPayments').set(done).execute()
  await app.db.updateTable('cardCustomers').set({ paymentMethodId: null }).execute()
  await app.db.updateTable('stripeEvents').set({ nextAt: null }).execute()
}

/** Nothing breaks any more: what was lost is fetched, and all that waits is done. */
const settle = async (world: World): Promise<void> => {
  const { app, stage } = world
  stage.events.waiting.splice(0)
  world.decide()
  for (const { id, status, metadata } of stage.objects.sessions.values())
    if (status === 'open' && world.places.includes(metadata.workspace ?? ''))
      stage.objects.expire(id)
  // Those that were lost are fetched, as in the night.
  await fetchMissedEvents(app)
  await world.workHere().catch(() => {})
  await fetchMissedEvents(app)
  for (let round = 0; round < 6; round++) {
    await world.workHere().catch(() => {})
    app.clock.advance({ hours: 12 })
  }
  await world.workHere()
}

const ofInvoice = (world: World, id: string) =>
  world.intents().filter(({ metadata }) => metadata.invoice === id)

const keptOf = (world: World, id: string): number =>
  ofInvoice(world, id).reduce((sum, intent) => sum + world.stage.objects.leftOf(intent), 0)

const readRows = (world: World) =>
  world.app.db.selectFrom('invoices').selectAll().where('workspaceId', 'in', world.places).execute()

/** At no moment is more kept for an invoice than it asks for. */
const twiceOf = async (world: World): Promise<string[]> =>
  (await readRows(world))
    .filter(({ kind, id, amountCents }) => kind === 'invoice' && keptOf(world, id) > amountCents)
    .map(
      ({ id, amountCents }) => `invoice ${id} of ${amountCents} has ${keptOf(world, id)} charged`,
    )

const faultsAtTheEnd = async (world: World, seen: Set<string>): Promise<string[]> => {
  const rows = await readRows(world)
  const payments = await world.app.db
    .selectFrom('cardPayments')
    .selectAll()
    .where('workspaceId', 'in', world.places)
    .execute()
  const faults = payments
    .filter(({ state }) => state === 'open' || state === 'confirming')
    .map((each) => `still under way: ${JSON.stringify(each)}`)
  const byHand = (id: string): number => {
    const row = rows.find((each) => each.id === id)
    const kept = payments
      .filter(({ invoiceId }) => invoiceId === id)
      .reduce((sum, each) => sum + each.paidCents - each.refundedCents - each.disputedCents, 0)
    return (row?.collectedCents ?? 0) - kept
  }
  const entries = await world.app.db
    .selectFrom('ledgerEntries')
    .select(['invoiceId', 'cents'])
    .where('workspaceId', 'in', world.places)
    .execute()
  for (const row of rows.filter(({ kind }) => kind === 'invoice')) {
    const entered = entries
      .filter(({ invoiceId }) => invoiceId === row.id)
      .reduce((sum, { cents }) => sum + cents, 0)
    if (entered !== row.collectedCents)
      faults.push(`${row.id}: ${row.collectedCents} collected, ${entered} in the ledger`)
    const kept = keptOf(world, row.id)
    const hand = byHand(row.id)
    if (hand > 0) seen.add('paid by hand')
    if (row.collectedCents !== kept + hand)
      faults.push(`${row.id}: ${row.collectedCents} collected, ${kept} at Stripe, ${hand} by hand`)
    const balance = row.amountCents - row.creditedCents - row.collectedCents
    const isAll = row.creditedCents === row.amountCents
    const status = isAll ? 'Credited' : balance > 0 ? 'Due' : 'Paid'
    if (row.status !== status) faults.push(`${row.id} is ${row.status}, and ${balance} is open`)
    if (balance < 0) faults.push(`${row.id}: ${-balance} too much`)
    seen.add(`ended ${row.status}`)
  }
  const given = [...world.stage.objects.refunds.values()]
    .filter(({ metadata, payment_intent }) => {
      const isOwn = world.intents().some(({ id }) => id === payment_intent)
      return isOwn && Boolean(metadata.refund)
    })
    .reduce((sum, { amount }) => sum + amount, 0)
  const noted = rows
    .filter(({ kind, note }) => kind === 'credit' && note === NOTE)
    .reduce((sum, { amountCents }) => sum - amountCents, 0)
  if (given !== noted) faults.push(`${given} given back, ${noted} in credit notes`)
  return [...faults, ...(await wrongBuyers(world))]
}

/** What the portal was told last stands on the next invoices. */
const wrongBuyers = async ({ app, stage, places }: World): Promise<string[]> => {
  const buyers = await app.db
    .selectFrom('cardCustomers as c')
    .leftJoin('companyProfiles as p', 'p.workspaceId', 'c.workspaceId')
    .select(['c.customerId', 'p.city', 'p.vatId'])
    .where('c.workspaceId', 'in', places)
    .execute()
  return buyers.flatMap(({ customerId, city, vatId }) => {
    const customer = stage.objects.customers.get(customerId ?? '')
    if (customer === undefined || customer.deleted) return []
    const [taxId] = taxIdsOf(stage.objects, customer.id)
    // Our form wants a city.
    const isRightCity = !customer.address?.city || customer.address.city === city
    if (isRightCity && (taxId === undefined || taxId.value === vatId)) return []
    return [`${city} and ${vatId} are not ${customer.address?.city} and ${taxId?.value}`]
  })
}

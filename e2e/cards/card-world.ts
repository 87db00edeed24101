/** The product in this process, by a clock that a story moves over months, with its payments on a stage of Stripe. */
import { rmSync } from 'node:fs'
import { type Browser, expect, type Page } from '@playwright/test'
import { readConfig } from '#server/config.ts'
import { followUnpaid } from '#server/features/billing/follow-unpaid.ts'
import { invoiceMonth } from '#server/features/billing/invoices.ts'
import { collectPayments } from '#server/features/billing/stripe/collect-payments.ts'
import { mailPayments } from '#server/features/billing/stripe/payment-mails.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { type RunningApp, startApp } from '#server/start-app.ts'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { aClock, type TestClock } from '#test-world/clock.ts'
import { aDnsServer } from '#test-world/dns/dns-server.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import { aDataDir } from '#test-world/postgres/data-dir.ts'
import { ANY_PORT } from '#test-world/program.ts'
import { aStripeStage, type StripeStage } from '#test-world/stripe/stage.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { aPerson, type Person } from '../specification/setting.ts'
import { test as plainTest } from '../test.ts'

/** The number of a test card of Stripe. */
export const GOOD = '4242 4242 4242 4242'
/** Pays once, and is refused when it is charged later. */
export const REFUSED_LATER = '4000 0000 0000 0341'
/** Its bank asks its owner at every payment. */
export const ASKS = '4000 0027 6000 3184'

const DAY_MS = 86_400_000

export type CardWorld = {
  app: RunningApp['app']
  url: string
  smtpPort: number
  stage: StripeStage
  clock: TestClock
  /** An Admin with a mailbox that waits for its payment, in a browser of their own. */
  payer(browser: Browser): Promise<Payer>
  close(): Promise<void>
}

export type Payer = Person & { mailbox: Awaited<ReturnType<typeof aMailbox>> }

const openCardWorld = async (): Promise<CardWorld> => {
  await using undo = new AsyncDisposableStack()
  const clock = aClock(new Date('2026-11-20T12:00:00Z'))
  const dns = await aDnsServer()
  undo.defer(() => dns.close())
  const stage = await aStripeStage(() => clock.now())
  undo.defer(() => stage.close())
  const dataDir = aDataDir()
  undo.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const { secretKey, webhookSecret, api } = stage.settings
  const settings = {
    ...{ DATA_DIR: dataDir, DNS_SERVERS: dns.address, DNS_PORT: String(dns.port), ...ANY_PORT },
    ...{ MAIL_HOST: 'mail.mailstead.example', MAIL_IPS: '192.0.2.25', SYSTEM_MAIL: 'outbox' },
    ...{ ALLOW_LOOPBACK_PEERS: 'on', LOG_LEVEL: 'error', SELLER_NAME: 'Post Office' },
    ...{ BILLING: 'stripe', STRIPE_SECRET_KEY: secretKey, STRIPE_API: api },
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  }
  const running = await startApp(readConfig(settings, dataDir), { clock, say: () => {} })
  undo.defer(() => running.close())
  const { app, addresses } = running
  const url = app.config.publicUrl
  stage.events.deliverTo(url)
  const setting = { product: { url }, db: app.db, clock, passwordHash: quickHash(PASSWORD) }
  const payer = async (browser: Browser): Promise<Payer> => {
    const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' })
    const person = await aPerson(setting, context, await context.newPage())
    const domain = await aDomain(setting, { workspaceId: person.workspace.id, active: true })
    const mailbox = await aMailbox(setting, { domain, localPart: 'ada', status: 'inactive' })
    await letRead(setting, mailbox, person.user.id)
    return { ...person, mailbox }
  }
  const opened = undo.move()
  const smtpPort = addresses.smtp?.port ?? 0
  return { app, url, smtpPort, stage, clock, payer, close: () => opened.disposeAsync() }
}

/** Pay Now, and on Stripe's page with this card. */
export const payNow = async ({ page }: Payer, card: string): Promise<void> => {
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Pay Now ($2)' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pay $2' }).click()
  await payOnStripe(page, card)
}

export const payOnStripe = async (page: Page, card: string): Promise<void> => {
  await page.getByLabel('Card number').fill(card)
  await page.getByRole('button', { name: 'Pay 2.00 USD' }).click()
}

/** The session of before has ended by then. */
const signIn = async ({ context, email }: Person, { url }: CardWorld): Promise<void> => {
  const data = { email, password: PASSWORD }
  const answer = await context.request.post(`${url}/api/v1/auth/login`, { data })
  if (!answer.ok()) throw new Error(`the sign-in was refused: ${answer.status()}`)
}

/** The jobs of each morning until this one, and what the loops do after them. */
export const untilMorningOf = async (
  world: CardWorld,
  payer: Payer,
  day: string,
): Promise<void> => {
  const { app, clock } = world
  await payer.page.goto('about:blank')
  const last = new Date(`${day}T06:30:00Z`)
  const days = Math.floor((last.getTime() - clock.now().getTime()) / DAY_MS)
  for (let left = days; left >= 0; left--) {
    clock.set(new Date(last.getTime() - left * DAY_MS))
    await invoiceMonth(app)
    await followUnpaid(app)
    await collectPayments(app)
    await mailPayments(app)
  }
  await signIn(payer, world)
}

/** The newest mail of the product to this person whose subject has these words, once it is there. */
export const mailAbout = async ({ app }: CardWorld, { email }: Person, words: string) => {
  const find = async () =>
    (await listHeldMails(app)).find(({ to, subject }) => to === email && subject.includes(words))
  await expect.poll(find, words).toBeDefined()
  const mail = await find()
  return { subject: mail?.subject ?? '', text: mail?.text ?? '', link: mail?.link ?? '' }
}

export const test = plainTest.extend<{ world: CardWorld; payer: Payer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  world: async ({}, use) => {
    const world = await openCardWorld()
    await use(world)
    await world.close()
  },
  payer: async ({ world, browser }, use) => {
    const payer = await world.payer(browser)
    await use(payer)
    await payer.context.close()
  },
})

export { expect }

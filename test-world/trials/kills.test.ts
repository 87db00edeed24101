/** One kill of each kind, chosen by a seed; `npm run soak` does many. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Domain } from '#contract/domains.ts'
import { aProduct, ELSEWHERE, NO_BRAKES, type Product } from '../product.ts'
import { sendMail } from '../smtp/smtp-client.ts'
import { type Account, aMailboxAt, anAccount, anActiveDomain } from './account.ts'
import { killWhileReceiving } from './incoming-kill.ts'
import { killWhileSending } from './outgoing-kill.ts'

const SEED = 20_261_121

let product: Product
let account: Account
let domain: Domain
beforeAll(async () => {
  product = await aProduct({ BILLING: 'off', ...NO_BRAKES })
  account = await anAccount(product, `ada@${ELSEWHERE}`)
  domain = await anActiveDomain(product, account, 'kills.example')
})
afterAll(() => product.close())

test('kill -9 of everything among 500 incoming mails: what got 250 is there, once, byte for byte', async () => {
  const mailbox = await aMailboxAt(account, domain, 'incoming')
  const trial = await killWhileReceiving(product, account, mailbox, { seed: SEED, count: 500 })
  expect(trial.faults).toEqual([])
  expect(trial.acknowledged).toBeGreaterThan(0)
  expect(trial.acknowledged).toBeLessThan(500)
  expect(trial.inFlight).toBeGreaterThan(0)
  const again = { to: mailbox.email, raw: 'Subject: After the kill\r\n\r\nHello\r\n' }
  expect(await sendMail(product.smtpPort, again)).toMatch(/^250 /)
})

test('kill -9 of everything among 20 outgoing mails: each comes to the other server once', async () => {
  const mailbox = await aMailboxAt(account, domain, 'outgoing')
  const trial = await killWhileSending(product, account, mailbox, { seed: SEED, count: 20 })
  expect(trial.faults).toEqual([])
  expect(trial.deliveredBefore).toBeGreaterThan(0)
  expect(trial.deliveredBefore).toBeLessThan(20)
})

test('a record that breaks after the domain was active loses no incoming mail', async () => {
  const mailbox = await aMailboxAt(account, domain, 'broken')
  for (const { name, type } of await account.ask('GET', `/dns-records/dns/${domain._id}`))
    product.dns.remove(name, type)
  await account.ask('POST', `/dns-records/verify-dns/${domain._id}`)
  expect(await account.ask('GET', `/domains/${domain._id}`)).toMatchObject({ status: 'inactive' })

  const letter = { to: mailbox.email, raw: 'Subject: Still here\r\n\r\nHello\r\n' }
  expect(await sendMail(product.smtpPort, letter)).toMatch(/^250 /)
  const { items } = await account.ask('GET', `/mailboxes/${mailbox._id}/messages`)
  expect(items).toMatchObject([{ subject: 'Still here' }])
})

/** kill -9 of everything while events are on their way: each arrives, with one id. `KILLS` and `SEED`: `npm run soak` does many. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Domain } from '#contract/domains.ts'
import { aReceiver, type Receiver } from '../outgoing/webhook-receiver.ts'
import { aProduct, ELSEWHERE, NO_BRAKES, type Product } from '../product.ts'
import { sendMail } from '../smtp/smtp-client.ts'
import { type Account, aMailboxAt, anAccount, anActiveDomain } from './account.ts'
import { chanceOf } from './seeded.ts'

const KILLS = Number(process.env.KILLS ?? 1)
const SEED = Number(process.env.SEED ?? 20_261_127)
const MAILS = 40
/** A claim of a killed process ends after half a minute. */
const SOON = { timeout: 90_000, interval: 200 }

let product: Product
let account: Account
let domain: Domain
let receiver: Receiver
beforeAll(async () => {
  product = await aProduct({ BILLING: 'off', ...NO_BRAKES })
  account = await anAccount(product, `ada@${ELSEWHERE}`)
  domain = await anActiveDomain(product, account, 'hooks-kill.example')
  receiver = await aReceiver()
  await account.ask('POST', '/webhooks', { url: receiver.url, topics: ['mail.received'] })
})
afterAll(async () => {
  await product.close()
  await receiver.close()
})

/** The ids by which each mail of the mailbox was told. */
const idsByMail = (mailboxId: string): Map<string, Set<unknown>> => {
  const told = new Map<string, Set<unknown>>()
  for (const { body, headers } of receiver.seen) {
    const { data } = JSON.parse(body)
    if (data.mailboxId !== mailboxId) continue
    const ids = told.get(data.messageId) ?? new Set()
    told.set(data.messageId, ids.add(headers['webhook-id']))
  }
  return told
}

test(`${KILLS} times kill -9 while events are on their way: none is lost, and none has two ids`, {
  timeout: KILLS * 200_000,
}, async () => {
  for (let n = 0; n < KILLS; n++) {
    const chance = chanceOf(SEED + n)
    const mailbox = await aMailboxAt(account, domain, `box${n}`)
    const killAfter = chance.between(1, MAILS - 5)
    const killed = Promise.withResolvers<void>()
    let count = 0
    receiver.answers((response) => {
      count += 1
      if (count === killAfter) return void product.kill().then(killed.resolve, killed.reject)
      setImmediate(() => response.end('ok'))
    })
    for (let mail = 0; mail < MAILS; mail++)
      expect(
        await sendMail(product.smtpPort, {
          to: mailbox.email,
          raw: `Subject: ${mail}\r\n\r\nHello\r\n`,
        }).catch(() => '250 or killed'),
      ).toMatch(/^250 /)
    await killed.promise
    await product.start()
    await account.logIn()
    const { items } = await account.ask('GET', `/mailboxes/${mailbox._id}/messages?limit=200`)
    const kept = items.map(({ _id }: { _id: string }) => _id).toSorted()
    expect(kept.length).toBeGreaterThan(0)
    await expect.poll(() => [...idsByMail(mailbox._id).keys()].toSorted(), SOON).toEqual(kept)
    expect([...idsByMail(mailbox._id).values()].filter(({ size }) => size !== 1)).toEqual([])
  }
})

/** The examples as a developer runs them: with a client that a public generator makes, against the whole product. */
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aProduct, ELSEWHERE, type Product } from '#test-world/product.ts'
import { type Account, anAccount, publish } from '#test-world/trials/account.ts'
import { generateClient } from './generate-client.ts'

let product: Product
let account: Account
// biome-ignore lint/suspicious/noExplicitAny: a module that is made in this test
let example: (name: string) => Promise<any>
let key: string
beforeAll(async () => {
  product = await aProduct({ BILLING: 'invoice' })
  const document = await fetch(`${product.url}/api/v1/openapi.json`)
  await generateClient(await document.json(), new URL('client', import.meta.url).pathname)
  example = (name) => import(/* @vite-ignore */ `./${name}.ts`)
  account = await anAccount(product, `ada@${ELSEWHERE}`)
  const scopes = [
    ...['domains:read', 'domains:write', 'mailboxes:read', 'mailboxes:write'],
    ...['billing:write', 'mail:send', 'messages:read'],
  ]
  key = (await account.ask('POST', '/api-keys', { name: 'Onboarding', scopes })).key
})
afterAll(() => product.close())

test('the generated client and the examples have the types that they say', () => {
  const compiler = ['node_modules/ts7/bin/tsc', '-p', 'examples']
  expect(execFileSync(process.execPath, compiler, { encoding: 'utf8' })).toBe('')
})

test('a customer is onboarded, and a mail is sent and followed', async () => {
  const { connect } = await example('connect')
  const { onboardCustomer } = await example('onboard-customer')
  const { sendAndFollow } = await example('send-and-follow')
  const { changes } = await example('react-to-events')
  const client = connect(product.url, key)
  const stop = new AbortController()
  const events = changes(client, stop.signal)
  const first = events.next()

  product.dns.zone('customer.example')
  const customer = {
    domain: 'customer.example',
    people: [
      { firstName: 'Grace', lastName: 'Hopper' },
      { firstName: 'Grete', lastName: 'Hermann' },
    ],
  }
  // A run whose records are not there yet ends, and the next one goes on with the domain.
  const tooEarly = onboardCustomer(client, { ...customer, publish: async () => {} })
  await expect(tooEarly).rejects.toThrow('customer.example: ')
  const mailboxes = await onboardCustomer(client, {
    ...customer,
    publish: async (records: Parameters<typeof publish>[1]) => publish(product, records),
  })
  expect(mailboxes).toHaveLength(2)
  expect(mailboxes).toMatchObject([{ status: 'active' }, { status: 'active' }])
  const [invoice] = (await account.ask('GET', '/invoices')).items
  expect(invoice).toMatchObject({ productName: 'Mailbox x 2' })
  expect((await first).value).toMatchObject({ topic: 'domains' })

  const steps: string[] = []
  const [from, to] = ['grace.hopper@customer.example', `lise@${ELSEWHERE}`]
  const mail = { from, to: [to], subject: 'Hello', text: 'Sent by a program.' }
  const deliveries = await sendAndFollow(client, mail, (step: string) => steps.push(step))
  expect(deliveries).toMatchObject([{ recipient: to, status: 'delivered' }])
  expect(steps.join('\n')).toContain(`${to}: `)
  expect((await product.mailTo(to)).email.text).toContain('Sent by a program.')
  stop.abort()
  await events.return(undefined)
})

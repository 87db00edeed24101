/** Simultaneous requests to the running product, each over its own socket. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Domain } from '#contract/domains.ts'
import { aProduct, ELSEWHERE, type Product } from '../product.ts'
import { type Account, anAccount, anActiveDomain, publish } from './account.ts'

let product: Product
let ada: Account
let charles: Account
beforeAll(async () => {
  product = await aProduct({ BILLING: 'off', DOMAIN_MAILBOX_LIMIT: '5' })
  ada = await anAccount(product, `ada@${ELSEWHERE}`)
  charles = await anAccount(product, `charles@${ELSEWHERE}`)
})
afterAll(() => product.close())

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

test('20 mailboxes created at once on a domain that takes 5 leave exactly 5', async () => {
  const domain = await anActiveDomain(product, ada, 'limit.example')
  const create = (n: number) =>
    ada.call('POST', '/mailboxes', {
      ...{ firstName: 'Ada', lastName: 'Lovelace' },
      ...{ email: `ada${n}@${domain.name}`, domain: domain.name },
    })
  const answers = await Promise.all(numbers(20).map(create))
  const created = answers.filter(({ status }) => status === 201).map(({ body }) => body.email)
  const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body.type)
  expect(created).toHaveLength(5)
  expect(refused).toEqual(numbers(15).map(() => 'MAILBOX_LIMIT'))
  const { items } = await ada.ask('GET', '/mailboxes?limit=200&domain=limit.example')
  expect(items.map(({ email }: { email: string }) => email).toSorted()).toEqual(created.toSorted())
  expect(await ada.ask('GET', `/domains/${domain._id}`)).toMatchObject({ mailboxes: 5 })
})

test('bulk creations of the same names at once fill a domain to its limit and never beyond', async () => {
  const domain = await anActiveDomain(product, ada, 'bulk.example')
  const generate = () =>
    ada.call('POST', '/mailboxes/generate', {
      domains: [domain.name],
      count: 2,
      names: [
        { firstName: 'Augusta', lastName: 'Byron' },
        { firstName: 'Charles', lastName: 'Babbage' },
      ],
    })
  const answers = await Promise.all(numbers(10).map(generate))
  const results = answers.map(({ status, body }) => (status === 201 ? 'made' : body.type))
  expect(results.toSorted()).toEqual([...Array(8).fill('MAILBOX_LIMIT'), 'made', 'made'])
  expect(await ada.ask('GET', `/domains/${domain._id}`)).toMatchObject({ mailboxes: 4 })
})

test('of 20 creations of one address at once, one makes it', async () => {
  const domain = await anActiveDomain(product, ada, 'twins.example')
  const create = () =>
    ada.call('POST', '/mailboxes', {
      ...{ firstName: 'Ada', lastName: 'Lovelace' },
      ...{ email: `ada@${domain.name}`, domain: domain.name },
    })
  const answers = await Promise.all(numbers(20).map(create))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.type === 'MAILBOX_EXISTS')).toHaveLength(19)
})

test.each(numbers(4))(
  'two workspaces that prove one name at once leave one holder (%i)',
  async (n) => {
    const name = `contested${n}.example`
    product.dns.zone(name)
    const people = [ada, charles]
    const add = (who: Account): Promise<Domain> => who.ask('POST', '/domains', { name })
    const domains = await Promise.all(people.map(add))
    const idOf = (at: number) => domains[at]?._id
    const records = people.map((who, at) => who.ask('GET', `/dns-records/ownership/${idOf(at)}`))
    publish(product, await Promise.all(records))

    const prove = (who: Account, at: number) =>
      who.call('POST', `/dns-records/verify-ownership/${idOf(at)}`)
    const answers = await Promise.all(people.map(prove))
    const holder = answers.findIndex(({ body }) => body.isVerified === true)
    const other = 1 - holder
    expect(answers[holder]?.body).toMatchObject({ isVerified: true, state: 'verified' })
    expect(answers[other]).toMatchObject({ status: 200, body: { isVerified: false } })

    const seen = await Promise.all(people.map((who, at) => who.ask('GET', `/domains/${idOf(at)}`)))
    expect(seen[holder]).toMatchObject({ isVerified: true })
    expect(seen[other]).toMatchObject({ isVerified: false, status: 'inactive' })
    const tryOn = await people[other]?.call('POST', `/dns-records/verify-dns/${idOf(other)}`)
    expect(tryOn).toMatchObject({ status: 409, body: { type: 'DOMAIN_NOT_VERIFIED' } })
  },
)

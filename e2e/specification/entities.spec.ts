/** What is in the answers of the API, field by field; the screens that show them are other tests. */
import type { APIRequestContext } from '@playwright/test'
import { decodeJwt } from 'jose'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { mailedLink, PASSWORD } from '#test-world/trials/account.ts'
import { answering, expect, type Person, test } from './setting.ts'

const id = expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/)
const text = expect.stringMatching(/./)

const userNamed = (email: string) => ({
  ...{ _id: id, firstName: 'Ada', lastName: 'Lovelace', email },
  ...{ name: 'Ada Lovelace', avatar: null },
})

const post = async (request: APIRequestContext, path: string, data?: unknown) => {
  const answer = await request.post(`/api/v1${path}`, data === undefined ? {} : { data })
  return { status: answer.status(), body: await answer.json() }
}

/** The token lives for as many seconds as the answer says. */
const expectLife = ({ token, tokenExpiresIn }: { token: string; tokenExpiresIn: number }) => {
  const { exp = 0, iat = 0 } = decodeJwt(token)
  expect(tokenExpiresIn).toBe(600)
  expect(exp - iat).toBe(tokenExpiresIn)
  expect(Math.abs(exp - Date.now() / 1000 - tokenExpiresIn)).toBeLessThan(10)
}

test('login, refresh and the user [3.1 3.4 3.19 3.20]', async ({ person, request }) => {
  const { email } = person
  const login = await post(request, '/auth/login', { email, password: PASSWORD })
  expect(login).toEqual({
    status: 200,
    body: { token: text, tokenExpiresIn: 600, user: userNamed(email) },
  })
  expectLife(login.body)
  const refresh = await post(request, '/auth/refresh')
  expect(refresh).toEqual({
    status: 200,
    body: { token: text, tokenExpiresIn: 600, user: userNamed(email) },
  })
  expect(refresh.body.token).not.toBe(login.body.token)
  expectLife(refresh.body)
  for (const data of [
    { email },
    { password: PASSWORD },
    { email, password: PASSWORD, remember: true },
  ])
    expect((await post(request, '/auth/login', data)).status).toBe(422)
})

test('the verification of an e-mail [3.2 3.22]', async ({ setting, request }) => {
  const email = `ada-${crypto.randomUUID().slice(0, 8)}@${ELSEWHERE}`
  await post(request, '/auth/register', {
    ...{ firstName: 'Ada', lastName: 'Lovelace', email },
    ...{ password: PASSWORD, confirmPassword: PASSWORD, termsAccepted: true },
  })
  const link = await mailedLink(setting.product, email)
  const session = link.searchParams.get('token')
  const verified = await post(request, '/auth/verify-email', { session })
  expect(verified).toEqual({
    status: 200,
    body: {
      ...{ type: 'VERIFIED', message: 'Email verified successfully', email, isChange: false },
      ...{ token: text, tokenExpiresIn: 600, user: userNamed(email) },
    },
  })
  expectLife(verified.body)
  expect((await post(request, '/auth/verify-email', { session })).body).toEqual({
    ...{ type: 'ALREADY_VERIFIED', message: 'This email is already verified', email },
  })
})

const domainNamed = (name: string, isVerified: boolean, status: string) =>
  expect.objectContaining({ _id: id, name, isVerified, status })

test('domains, also as options for mailboxes [3.5 3.6 3.13]', async ({ setting, person }) => {
  const { page, workspace } = person
  const [pending, owned, active] = [
    await aDomain(setting, { workspaceId: workspace.id }),
    await aDomain(setting, { workspaceId: workspace.id, verified: true }),
    await aDomain(setting, { workspaceId: workspace.id, active: true }),
  ]
  const { body } = await person.call('GET', '/domains')
  expect(body).toHaveLength(3)
  expect(body).toEqual(
    expect.arrayContaining([
      domainNamed(pending.name, false, 'inactive'),
      domainNamed(owned.name, true, 'inactive'),
      domainNamed(active.name, true, 'active'),
    ]),
  )
  // Every status but 'active' shows Inactive, also an unknown one.
  await answering(page, 'GET', '/domains', {
    json: body.map((each: { name: string }) =>
      each.name === owned.name ? { ...each, status: 'resting', colour: 'blue' } : each,
    ),
  })
  await page.goto('/dashboard/domains')
  for (const [{ name }, status] of [
    [pending, 'Inactive'],
    [owned, 'Inactive'],
    [active, 'Active'],
  ] as const)
    await expect(
      page
        .getByRole('row')
        .filter({ hasText: name })
        .getByText(status, { exact: true })
        .filter({ visible: true }),
    ).toBeVisible()
})

test('the ownership record and the DNS records [3.7 3.8]', async ({ person }) => {
  const name = `${crypto.randomUUID().slice(0, 8)}.example`
  const { body: domain } = await person.call('POST', '/domains', { name })
  const record = (given: object) =>
    expect.objectContaining({ value: text, ttl: expect.any(Number), isVerified: false, ...given })
  expect((await person.call('GET', `/dns-records/ownership/${domain._id}`)).body).toEqual(
    record({
      name: `_mailstead.${name}`,
      value: expect.stringMatching(/^mailstead-verify=[\w-]{22,}$/),
    }),
  )
  const { body } = await person.call('GET', `/dns-records/dns/${domain._id}`)
  expect(Array.isArray(body)).toBe(true)
  for (const each of body) expect(each).toEqual(record({ name: expect.stringContaining(name) }))
  expect(body.map((each: { purpose: string }) => each.purpose)).toEqual(
    expect.arrayContaining(['spf', 'dkim', 'dmarc', 'mx']),
  )
})

test('a mailbox, and the signature that generating sets [3.10]', async ({ setting, person }) => {
  const { name: domain } = await aDomain(setting, {
    ...{ workspaceId: person.workspace.id, active: true },
  })
  const names = { firstName: 'Charles', lastName: 'Babbage' }
  const email = `charles@${domain}`
  const created = await person.call('POST', '/mailboxes', { ...names, email, domain })
  expect(created).toMatchObject({
    status: 201,
    body: { ...names, email, domain, signature: '', fullName: 'Charles Babbage' },
  })
  const signature = '<p>Kind regards</p>'
  const generated = await person.call('POST', '/mailboxes/generate', {
    ...{ domains: [domain], count: 1, names: [names], signature },
  })
  expect(generated.body).toMatchObject([
    { ...names, email: `charles.babbage@${domain}`, domain, signature },
  ])
})

const company = {
  ...{ name: 'Analytical Engines', phone: '+44 20 7946 0018', address: 'St James’s Square' },
  ...{ zipCode: 'SW1Y 4JH', country: 'uk', city: 'London', timeZone: 'gmt', timeFormat: '24h' },
}

test('the company profile, whose website is optional [3.15]', async ({ person }) => {
  const save = (fields: Record<string, string>) => person.call('PUT', '/company', fields)
  const website = 'https://engines.example'
  expect((await save({ ...company, website })).body).toEqual({ ...company, website, vatId: '' })
  expect((await save(company)).body).toEqual({ ...company, website: '', vatId: '' })
  expect((await person.call('GET', '/company')).body).toEqual({
    ...company,
    website: '',
    vatId: '',
  })
  const { status, body } = await save({})
  expect([status, Object.keys(body.data).sort()]).toEqual([422, Object.keys(company).sort()])
})

test('a row of the bill [3.23]', async ({ setting, person }) => {
  await payFor(person, [await anUnpaidMailbox(setting, person)])
  const { body } = await person.call('GET', '/invoices')
  expect(body.items).toEqual([
    expect.objectContaining({
      ...{ productName: 'Mailbox x 1', amount: 2, status: 'Due' },
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    }),
  ])
})

const anUnpaidMailbox = async (
  setting: Parameters<typeof aMailbox>[0],
  { workspace }: Person,
): Promise<string> => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  return (await aMailbox(setting, { domain, status: 'inactive' })).id
}

const payFor = async (person: Person, mailboxIds: string[]): Promise<void> => {
  expect((await person.call('POST', '/payments', { mailboxIds })).status).toBe(201)
}

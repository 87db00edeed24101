/** A user publishes the second DKIM key of a domain too, and mail is signed with both. */
import type { DnsRecord, Domain } from '#contract/domains.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { publish } from '#test-world/trials/account.ts'
import { expect, type Person, test } from './specification/setting.ts'

test('The optional key is folded, says when it is missing, and signs when it is there', async ({
  person,
  setting: { product },
}) => {
  const { page } = person
  const ask = asking(person)
  const domain: Domain = await ask('POST', '/domains', { name: 'two-keys.example' })
  product.dns.zone(domain.name)
  publish(product, [await ask('GET', `/dns-records/ownership/${domain._id}`)])
  await ask('POST', `/dns-records/verify-ownership/${domain._id}`)

  await page.goto(`/dashboard/add-domain?id=${domain._id}`)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  const optional = page.getByRole('region', { name: 'Optional records' })
  await expect(optional.getByRole('button', { name: 'Optional' })).toBeVisible()
  await expect(optional.getByRole('table')).toHaveCount(0)
  await optional.getByRole('button', { name: 'Optional' }).click()
  const table = optional.getByRole('table', { name: 'Optional DNS records' })
  await expect(table).toContainText('v=DKIM1; k=ed25519; p=')
  await expect(table).toContainText('Pending')

  const records: DnsRecord[] = await ask('GET', `/domains/${domain._id}/optional-records`)
  publish(product, [...records, ...(await ask('GET', `/dns-records/dns/${domain._id}`))])
  await optional.getByRole('button', { name: 'Check optional records' }).click()
  await expect(table).toContainText('Verified')
  expect(await ask('GET', `/domains/${domain._id}`)).toMatchObject({
    ...{ status: 'active', requiredRecords: 4, verifiedRecords: 4 },
  })

  const mailbox = await ask('POST', '/mailboxes', {
    ...{ firstName: 'Ada', lastName: 'Lovelace' },
    ...{ email: `ada@${domain.name}`, domain: domain.name },
  })
  const to = `judge@${ELSEWHERE}`
  const letter = { to: [to], subject: 'Two keys', text: 'Hello' }
  await ask('POST', `/mailboxes/${mailbox._id}/messages`, letter)
  const { message } = await product.mailTo(to)
  const signatures = message.raw.toString().matchAll(/^DKIM-Signature:.*?a=([\w-]+);/gims)
  expect([...signatures].map(([, algorithm]) => algorithm)).toEqual([
    'rsa-sha256',
    'ed25519-sha256',
  ])
})

const asking =
  ({ call }: Person) =>
  async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    if (answer.status < 300) return answer.body
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }

/**
 * The whole product gets its certificates by itself, shows them at every port, renews and revokes them. With a directory of ours;
 * `npm run soak` takes Pebble in strict mode.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:https'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Domain } from '#contract/domains.ts'
import { HOST } from '../acme/acme-directory.ts'
import { freePort } from '../free-port.ts'
import { aProduct, ELSEWHERE, MAIL_HOST, type Product } from '../product.ts'
import { type Account, anAccount, anActiveDomain } from './account.ts'
import { ourDirectory, pebble, type TrialDirectory } from './certificates/directories.ts'
import { type Doors, doorsAt, serialShown } from './certificates/doors.ts'

const CUSTOMER = 'customer.example'
const HOSTS = ['mail', 'autoconfig', 'mta-sts'].map((host) => `${host}.${CUSTOMER}`)
const POLL = { timeout: 40_000, interval: 250 }

let product: Product
let directory: TrialDirectory
let account: Account
let domain: Domain
let doors: Doors

beforeAll(async () => {
  const [http, https, imap] = [await freePort(), await freePort(), await freePort()]
  const at = { http, tls: https }
  const settings = {
    ...{ PUBLIC_URL: `https://${MAIL_HOST}`, HOST: '127.0.0.1', BILLING: 'off' },
    ...{ HTTPS_PORT: String(https), HTTP_PORT: String(http), IMAP_PORT: String(imap) },
    ...{ ACME_EMAIL: 'operator@mailstead.example', MAIL_IPS: '127.0.0.1' },
  }
  product = await aProduct(settings, async (dns) => {
    dns.zone(HOST)
    dns.set(HOST, 'A', ['127.0.0.1'])
    directory = process.env.DIRECTORY === 'pebble' ? await pebble(at, dns) : await ourDirectory(at)
    return { ACME_DIRECTORY: directory.url, ACME_CA: directory.caFile }
  })
  const { smtpPort: smtp, submissionPort: submission, submissionsPort, imapsPort } = product
  doors = doorsAt({
    ...{ https, smtp, submission, submissions: submissionsPort, imap, imaps: imapsPort },
  })
  account = await anAccount(product, `ada@${ELSEWHERE}`)
  domain = await anActiveDomain(product, account, CUSTOMER)
})
afterAll(async () => {
  await product.close()
  await directory.close()
})

/** Of every port, once all show the same. */
const serialOf = async (name: string): Promise<string> => {
  const shown = async () => {
    const all = Object.values(doors).map((door) => serialShown(door, name, directory.root))
    return [...new Set(await Promise.all(all))]
  }
  await expect.poll(() => shown().catch(() => []), POLL).toHaveLength(1)
  return (await shown())[0] ?? ''
}

const operator = async (...words: string[]): Promise<string> => {
  const { PATH } = process.env
  const env = { PATH, DATA_DIR: product.dataDir }
  return (await promisify(execFile)(process.execPath, ['server/operator.ts', ...words], { env }))
    .stdout
}

test('our own name first, at every port', async () => {
  expect(await serialOf(MAIL_HOST)).toMatch(/^[\dA-F]+$/)
})

test('the names of a customer, as soon as DNS leads them here', async () => {
  for (const host of HOSTS) product.dns.set(host, 'CNAME', [MAIL_HOST])
  await account.ask('GET', `/domains/${domain._id}/optional-records`)
  await account.ask('POST', `/dns-records/verify-dns/${domain._id}`)
  const [, autoconfig = '', mtaSts = ''] = HOSTS
  await operator('certificate', 'ask', `mail.${CUSTOMER}`).catch(() => '')
  const serials = [await serialOf(autoconfig), await serialOf(mtaSts), await serialOf(MAIL_HOST)]
  expect(new Set(serials).size).toBe(3)
  const read = async (host: string, path: string): Promise<string> => {
    const { port } = doors.HTTPS ?? { port: 0 }
    const asked = request({
      ...{ host: '127.0.0.1', port, path, servername: host, headers: { host }, ca: directory.root },
    }).end()
    const [response] = await once(asked, 'response')
    return Buffer.concat(await response.toArray()).toString()
  }
  expect(await read(autoconfig, `/mail/config-v1.1.xml?emailaddress=a@${CUSTOMER}`)).toContain(
    `<hostname>${MAIL_HOST}</hostname>`,
  )
  // Signed: DER, no XML.
  const profile = await read(MAIL_HOST, `/apple.mobileconfig?email=a@${CUSTOMER}`)
  expect(profile).toMatch(/^0/)
  expect(profile).toContain('com.apple.mail.managed')
  expect(await read(mtaSts, '/.well-known/mta-sts.txt')).toContain(`mx: ${MAIL_HOST}`)
})

test('a renewed and a revoked certificate are followed by another, without a restart', async () => {
  const first = await serialOf(MAIL_HOST)
  await operator('certificate', 'ask', MAIL_HOST)
  await expect.poll(() => serialOf(MAIL_HOST), POLL).not.toBe(first)
  const second = await serialOf(MAIL_HOST)
  expect(await directory.isRevoked(second)).toBe(false)
  await operator('certificate', 'revoke', MAIL_HOST)
  await expect.poll(() => serialOf(MAIL_HOST), POLL).not.toBe(second)
  expect(await directory.isRevoked(second)).toBe(true)
  expect(await operator('certificate', 'list')).toContain(`${MAIL_HOST}  until 20`)
})

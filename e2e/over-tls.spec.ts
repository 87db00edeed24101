/** The pages at HTTPS_PORT, by HTTP/2, with no proxy in front. */

import { once } from 'node:events'
import { request as askPlainly } from 'node:http'
import { expect } from '@playwright/test'
import { freePort } from '#test-world/free-port.ts'
import { aProduct, ELSEWHERE, type Product } from '#test-world/product.ts'
import { anAccount, PASSWORD } from '#test-world/trials/account.ts'
import { test } from './test.ts'

let product: Product
let home: string
let httpPort: number
test.beforeAll(async () => {
  const httpsPort = await freePort()
  httpPort = await freePort()
  home = `https://localhost:${httpsPort}`
  product = await aProduct({
    ...{ PUBLIC_URL: home, HOST: '127.0.0.1', MAIL_HOST: 'localhost' },
    ...{ HTTPS_PORT: String(httpsPort), HTTP_PORT: String(httpPort) },
  })
})
test.afterAll(() => product?.close())

test('I log in over HTTP/2, and a change elsewhere is seen at once', async ({ browser }) => {
  const account = await anAccount(product, `ada@${ELSEWHERE}`)
  // Self-signed: no directory issues for localhost.
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  const page = await context.newPage()
  await page.goto(`${home}/login`)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(`${home}/dashboard`)
  const protocols = await page.evaluate(() =>
    [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ].map((entry) => (entry as PerformanceResourceTiming).nextHopProtocol),
  )
  expect(protocols.length).toBeGreaterThan(3)
  expect([...new Set(protocols)].filter((each) => each !== '')).toEqual(['h2'])
  await page.goto(`${home}/dashboard/domains`)
  await expect(page.getByRole('heading', { name: 'Domains', level: 1 })).toBeVisible()
  await account.ask('POST', '/domains', { name: 'seen-at-once.example' })
  await expect(page.getByRole('link', { name: 'seen-at-once.example' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('link', { name: 'seen-at-once.example' })).toBeVisible()
  const cookies = await context.cookies(home)
  expect(cookies.length).toBeGreaterThan(0)
  await context.close()
})

test('who comes without TLS is sent on to the same page', async () => {
  const asked = askPlainly({
    ...{ host: '127.0.0.1', port: httpPort, path: '/login?a=b', headers: { host: 'localhost' } },
  }).end()
  const [response] = await once(asked, 'response')
  response.resume()
  expect([response.statusCode, response.headers.location]).toEqual([308, `${home}/login?a=b`])
})

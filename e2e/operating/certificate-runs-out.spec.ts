/** The operator's own certificate runs out: Health says so, and a renewed file is in use without a restart. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from '#server/lib/tls/self-signed.ts'
import { shownCertificate } from '#test-world/imap/shown-certificate.ts'
import { aPerson, aSetting, expect, makeOperator } from '../specification/setting.ts'
import { test } from '../test.ts'

const HOST = 'mail.mailstead.example'

test('Health tells of it days before, and a renewed file is shown to mail programs at once', async ({
  context,
  page,
}) => {
  await using undo = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-certificate-'))
  undo.defer(() => rmSync(folder, { recursive: true }))
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const renew = (days: number) => {
    const made = selfSigned(HOST, new Date(), days)
    writeFileSync(files.key, made.key)
    writeFileSync(files.cert, made.cert)
    return made.cert
  }
  const old = renew(3)
  const { setting, close } = await aSetting({ TLS_CERT: files.cert, TLS_KEY: files.key })
  undo.defer(close)
  const { product } = setting
  const operator = await aPerson(setting, context, page)
  await makeOperator(setting, operator)
  await page.goto(`${product.url}/operator`)
  const faults = page.getByRole('list', { name: 'To mend' }).getByRole('listitem')
  const ending = faults.filter({ hasText: 'which runs out on' })
  await expect(ending).toContainText('Renew it; it is read again by itself.')
  expect((await shownCertificate(product.imapsPort)).trim()).toBe(old.trim())

  const renewed = renew(90)
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(ending).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'In order' })).toContainText('good for 89 days')
  await expect
    .poll(async () => (await shownCertificate(product.imapsPort)).trim(), { timeout: 90_000 })
    .toBe(renewed.trim())
})

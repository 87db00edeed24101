/** The operator's own certificate runs out: Health says so, and a renewed file is in use without a restart. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '#server/lib/clock.ts'
import { selfSigned } from '#server/lib/tls/self-signed.ts'
import { visitStorage } from '#server/storage/open-storage.ts'
import { shownCertificate } from '#test-world/imap/shown-certificate.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import { aProduct } from '#test-world/product.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { makeOperator } from '../screens/operator/fill-operating.ts'
import { aPerson, expect } from '../specification/setting.ts'
import { test } from '../test.ts'

const HOST = 'mail.mailstead.example'

test('Health tells of it days before, and a renewed file is shown to mail programs at once', async ({
  context,
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-certificate-'))
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const renew = (days: number) => {
    const made = selfSigned(HOST, new Date(), days)
    writeFileSync(files.key, made.key)
    writeFileSync(files.cert, made.cert)
    return made.cert
  }
  const old = renew(3)
  const product = await aProduct({ TLS_CERT: files.cert, TLS_KEY: files.key })
  const { dataDir } = product
  const storage = await visitStorage({ databaseUrl: null, dataDir }, { onError: () => {} })
  try {
    const setting = {
      ...{ product, db: storage.db, clock: systemClock, passwordHash: quickHash(PASSWORD) },
    }
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
  } finally {
    await storage.close()
    await product.close()
    rmSync(folder, { recursive: true })
  }
})

import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selfSigned } from './self-signed.ts'
import { type Certificate, openTls, troubleOf } from './tls.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailstead-test-tls-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const own = (mailHost: string) =>
  openTls({ certFile: null, keyFile: null, dataDir: folder, mailHost, onWarning: () => {} })

const writePair = (name: string, { cert, key }: Certificate) => {
  const files = { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) }
  writeFileSync(files.certFile, cert)
  writeFileSync(files.keyFile, key)
  return files
}

test('a certificate that ends after 2049 is well-formed too', () => {
  const made = new X509Certificate(selfSigned('mail.example.com', new Date(), 36_500).cert)
  expect(new Date(made.validTo).getUTCFullYear()).toBeGreaterThan(2049)
  expect(made.verify(made.publicKey)).toBe(true)
  expect(made.ca).toBe(false)
})

describe('our own certificate', () => {
  test('names MAIL_HOST, works in a handshake, and stays', async () => {
    const made = await own('mail.example.com').load()
    expect(new X509Certificate(made.cert).checkHost('mail.example.com')).toBe('mail.example.com')
    expect(statSync(join(folder, 'mail-tls.pem')).mode & 0o777).toBe(0o600)
    expect(await own('mail.example.com').load()).toEqual(made)

    const server = createServer(made, (socket) => socket.end('hello')).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const heard = await new Promise<string>((resolve, reject) => {
      const options = { port, host: '127.0.0.1', ca: made.cert, servername: 'mail.example.com' }
      connect(options)
        .once('data', (data) => resolve(data.toString()))
        .once('error', reject)
    })
    expect(heard).toBe('hello')
    server.close()
  })

  test('is made anew for another MAIL_HOST', async () => {
    const made = await own('mail.example.net').load()
    expect(new X509Certificate(made.cert).subjectAltName).toBe('DNS:mail.example.net')
  })
})

describe("the operator's files", () => {
  test('a changed pair is read again; a pair that does not fit is passed over', async () => {
    const first = await own('one.example').load()
    const second = await own('two.example').load()
    const warnings: string[] = []
    const files = writePair('mail', first)
    const tls = openTls({
      ...files,
      dataDir: folder,
      mailHost: 'mail.example.com',
      onWarning: (sentence) => warnings.push(sentence),
      intervalMs: 20,
    })
    expect(await tls.load()).toEqual(first)
    const renewed = new Promise<Certificate>((resolve) => {
      const stop = tls.onChange((certificate) => {
        stop()
        resolve(certificate)
      })
    })
    writeFileSync(files.certFile, second.cert)
    await expect
      .poll(() => warnings)
      .toContainEqual(expect.stringMatching(/not the key of TLS_CERT/))
    writeFileSync(files.keyFile, second.key)
    expect(await renewed).toEqual(second)
  })

  test('that cannot be used are named', async () => {
    const files = writePair('bad', { cert: 'no certificate', key: 'no key' })
    const load = (pair: { certFile: string; keyFile: string }) =>
      openTls({ ...pair, dataDir: folder, mailHost: 'x.example', onWarning: () => {} }).load()
    await expect(load(files)).rejects.toThrow(`TLS_CERT is ${files.certFile}, which cannot be used`)
    await expect(load({ ...files, certFile: '/nowhere.pem' })).rejects.toThrow(
      'TLS_CERT is /nowhere.pem, which cannot be used: ENOENT',
    )
  })
})

test.each([
  ['mail.example.com', 90, null],
  ['mail.example.com', 13, /^which runs out on .* Please renew it\.$/],
  ['mail.example.com', -1, /^which ran out on /],
  ['other.example.com', 90, /^which is not for MAIL_HOST, other\.example\.com, but for DNS:mail/],
])('a certificate for %s with %i days left', (name, days, trouble) => {
  const certificate = selfSigned('mail.example.com', new Date(), days)
  const found = troubleOf(certificate, name, new Date())
  if (trouble === null) expect(found).toBeNull()
  else expect(found).toMatch(trouble)
})

test('the operator is told at the start', async () => {
  const pair = selfSigned('mail.example.com', new Date(), 5)
  const warnings: string[] = []
  const onWarning = (sentence: string) => void warnings.push(sentence)
  const files = writePair('soon', pair)
  await openTls({ ...files, dataDir: folder, mailHost: 'mail.example.com', onWarning }).load()
  expect(warnings).toEqual([expect.stringMatching(/^TLS_CERT is \S+soon\.crt, which runs out on /)])
})

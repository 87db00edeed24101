import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import MailComposer from 'nodemailer/lib/mail-composer'
import { expect, test, vi } from 'vitest'
import { writeSigned } from './write-large.ts'

const { privateKey, publicKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })
const signing = {
  ...{ domain: 'example.org', at: new Date() },
  keys: [
    {
      ...{ selector: 's', algorithm: 'rsa' as const },
      privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  ],
}
const record = `v=DKIM1; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`

const message = (content: Buffer) => ({
  from: { name: 'Ada', address: 'ada@example.org' },
  to: [{ name: '', address: 'grace@example.org' }],
  ...{ subject: 'Large', messageId: 'large@example.org', date: new Date(), text: 'Hello' },
  attachments: [{ filename: 'a.bin', contentType: 'application/octet-stream', content }],
})

test('a message of 17 MB is composed and signed beside the process, not in it', async () => {
  const content = Buffer.alloc(17_000_000, 'All the world')
  const composed = vi.spyOn(MailComposer.prototype, 'compile')
  // Signing hashes the body.
  const hashed = vi.spyOn(crypto, 'createHash')
  syncBuiltinESMExports()
  const given = message(Buffer.from(content))
  const raw = await writeSigned(given, signing, 'a')
  expect([composed.mock.calls.length, hashed.mock.calls.length]).toEqual([0, 0])
  // Proves that the spies see work on this thread.
  await writeSigned(message(content.subarray(0, 1_000)), signing, 'a')
  expect([composed.mock.calls.length, hashed.mock.calls.length]).toEqual([1, 1])
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  const { results } = await dkimVerify(raw, { resolver: async () => [[record]] })
  expect(results[0]?.status.result).toBe('pass')
  expect(raw.includes(content.subarray(0, 54).toString('base64'))).toBe(true)
})

test('what is large is handed from thread to thread, and not in memory twice', async () => {
  const given = message(Buffer.alloc(300_000))
  const writing = writeSigned(given, null, 'a')
  await expect.poll(() => given.attachments[0]?.content.length).toBe(0)
  expect((await writing).length).toBeGreaterThan(400_000)
})

test('one that cannot be written fails alone', async () => {
  const large = message(Buffer.alloc(300_000))
  const wrong = { ...signing, keys: [{ ...signing.keys[0], privateKeyPem: 'no key' }] }
  await expect(writeSigned(large, wrong as typeof signing, 'a')).rejects.toThrow('in time')
  const next = message(Buffer.alloc(300_000))
  expect((await writeSigned(next, null, 'a')).length).toBeGreaterThan(400_000)
})

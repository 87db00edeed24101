import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import MailComposer from 'nodemailer/lib/mail-composer'
import { expect, test, vi } from 'vitest'
import { writeMboxMessage } from '../mbox/write-mbox.ts'
import { writeMbox, writeSigned } from './write-large.ts'

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
  // Bodies are hashed where messages are signed.
  const hashed = vi.spyOn(crypto, 'createHash')
  syncBuiltinESMExports()
  const raw = await writeSigned(message(content), signing, 'a')
  expect([composed.mock.calls.length, hashed.mock.calls.length]).toEqual([0, 0])
  // It would have been seen here.
  await writeSigned(message(content.subarray(0, 1_000)), signing, 'a')
  expect([composed.mock.calls.length, hashed.mock.calls.length]).toEqual([1, 1])
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  const { results } = await dkimVerify(raw, { resolver: async () => [[record]] })
  expect(results[0]?.status.result).toBe('pass')
  expect(raw.includes(content.subarray(0, 54).toString('base64'))).toBe(true)
})

test('one that cannot be written fails alone', async () => {
  const large = message(Buffer.alloc(300_000))
  const wrong = { ...signing, keys: [{ ...signing.keys[0], privateKeyPem: 'no key' }] }
  await expect(writeSigned(large, wrong as typeof signing, 'a')).rejects.toThrow('in time')
  expect((await writeSigned(large, null, 'a')).length).toBeGreaterThan(400_000)
})

test('a large message of an mbox file is the same wherever it is written', async () => {
  const raw = Buffer.from(`Subject: x\r\n\r\n${'From here\r\n>From there\r\n'.repeat(20_000)}`)
  const folder = { role: 'inbox' as const }
  const stored = { raw, folder, mailFrom: 'a@b.example', date: new Date(), isRead: true }
  const given = { ...stored, isStarred: false, isAnswered: false, keywords: [] } as never
  expect((await writeMbox(given, 'a')).equals(writeMboxMessage(given))).toBe(true)
})

import { generateKeyPairSync } from 'node:crypto'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { expect, test } from 'vitest'
import { dkimSign } from './dkim-sign.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const key = {
  selector: 'one',
  algorithm: 'ed25519' as const,
  privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
const p = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
const signed = dkimSign(
  Buffer.from(
    [
      ...['From: a@example.com', 'To: b@example.net', 'Subject: Hi', 'Message-ID: <1@example.com>'],
      ...['Date: Sun, 22 Nov 2026 10:00:00 +0000', 'MIME-Version: 1.0', 'Content-Type: text/plain'],
      ...['', 'Hello', ''],
    ].join('\r\n'),
  ),
  'example.com',
  [key],
  new Date(),
)

const verify = async (raw: Buffer) => {
  const { results } = await dkimVerify(raw, {
    resolver: async () => [[`v=DKIM1; k=ed25519; p=${p}`]],
  })
  return results.map(({ status }) => status.result)
}

test('what was signed verifies, also with a field that nobody reads added on the way', async () => {
  expect(await verify(signed)).toEqual(['pass'])
  expect(await verify(Buffer.concat([Buffer.from('X-Seen: yes\r\n'), signed]))).toEqual(['pass'])
})

test.each([
  'From: evil@example.com',
  'Reply-To: evil@example.org',
  'To: c@example.net',
  'Cc: c@example.net',
  'Subject: Please pay',
  'Date: Mon, 23 Nov 2026 10:00:00 +0000',
  'Message-ID: <2@example.com>',
  'MIME-Version: 1.1',
  'Content-Type: text/html',
  'Content-Transfer-Encoding: base64',
])('no second %s can be added, nor a first where there is none', async (line) => {
  expect(await verify(Buffer.concat([Buffer.from(`${line}\r\n`), signed]))).toEqual(['fail'])
})

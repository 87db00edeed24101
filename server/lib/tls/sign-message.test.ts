import { createHash, createVerify, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { anAuthority } from '#test-world/acme/authority.ts'
import { objectId, sequence, setOf, tags, value } from './der.ts'
import { selfSigned } from './self-signed.ts'
import { isSelfSigned, signMessage } from './sign-message.ts'

const CONTENT = Buffer.from('<plist>größe</plist>\n'.repeat(200))
const now = new Date()
const authority = anAuthority()

type Value = { tag: number; whole: Buffer; content: Buffer }

/** The values in a row, as any reader of DER sees them. */
const valuesIn = (bytes: Buffer): Value[] => {
  const found: Value[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1] ?? 0
    const more = first < 0x80 ? 0 : first & 0x7f
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more)
    const end = at + 2 + more + length
    const content = bytes.subarray(at + 2 + more, end)
    found.push({ tag: bytes[at] ?? 0, whole: bytes.subarray(at, end), content })
    at = end
  }
  return found
}

const inside = (bytes: Buffer, ...path: number[]): Value => {
  let [found] = valuesIn(bytes)
  for (const index of path) found = valuesIn(found?.content ?? Buffer.alloc(0))[index]
  if (found === undefined) throw new Error(`nothing at ${path}`)
  return found
}

/** As RFC 5652 section 5.4 and 5.6 verify it; the content, or null. */
const verified = (message: Buffer, root: string): Buffer | null => {
  const signedData = inside(message, 1, 0).whole
  const content = inside(signedData, 2, 1, 0).content
  const leaf = new X509Certificate(inside(signedData, 3, 0).whole)
  const signer = inside(signedData, 4, 0).whole
  const attributes = inside(signer, 3)
  const signed = Buffer.concat([Buffer.of(tags.set), attributes.whole.subarray(1)])
  const digests = valuesIn(attributes.content).map(
    ({ content: each }) => valuesIn(each)[1]?.content,
  )
  const digest = createHash('sha256').update(content).digest()
  const isDigested = digests.some((each) => each?.subarray(2).equals(digest))
  const isSigned = createVerify('sha256')
    .update(signed)
    .verify(leaf.publicKey, inside(signer, 5).content)
  const isIssued = leaf.verify(new X509Certificate(root).publicKey)
  return isDigested && isSigned && isIssued ? content : null
}

test('a reader finds the content and who signed it, and sees what was changed', () => {
  const pair = authority.forServer('mail.example.com')
  const message = signMessage(CONTENT, pair, now)
  if (message === null) throw new Error('not signed')
  expect(verified(message, authority.root)).toEqual(CONTENT)
  expect(verified(message, anAuthority().root)).toBeNull()
  const changed = Buffer.from(message)
  const at = changed.indexOf('plist')
  changed[at] = (changed[at] ?? 0) ^ 1
  expect(verified(changed, authority.root)).toBeNull()
})

test('a key that cannot sign so is passed over, and a self-signed certificate is known', () => {
  const pair = authority.forServer('mail.example.com')
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  expect(signMessage(CONTENT, { ...pair, key }, now)).toBeNull()
  expect(isSelfSigned(pair)).toBe(false)
  expect(isSelfSigned(selfSigned('mail.example.com', now, 30))).toBe(true)
})

test('DER: lengths, identifiers, the order of sets, and a bound', () => {
  expect(value(tags.octetString, Buffer.alloc(200)).subarray(0, 3)).toEqual(Buffer.of(4, 0x81, 200))
  expect(value(tags.octetString, Buffer.alloc(300)).subarray(0, 4)).toEqual(
    Buffer.of(4, 0x82, 1, 44),
  )
  expect(objectId('1.2.840.113549.1.7.2').toString('hex')).toBe('06092a864886f70d010702')
  const [one, two] = [sequence(Buffer.of(1)), sequence(Buffer.of(2))]
  expect(setOf(two, one)).toEqual(value(tags.set, one, two))
  expect(() => value(tags.octetString, Buffer.alloc(65_536))).toThrow(RangeError)
})

import { describe, expect, test } from 'vitest'
import { equalBytes, hashToken, randomToken, secretsFrom } from './secrets.ts'

const secrets = secretsFrom('a secret for tests, forty characters long')
const others = secretsFrom('another secret for tests, as long as that')

describe('sealed values', () => {
  const sealed = secrets.encrypt('-----BEGIN KEY-----ü', 'domain-key:1')

  test('open under the same secret and context, also in another process', () => {
    const again = secretsFrom('a secret for tests, forty characters long')
    expect(again.decrypt(sealed, 'domain-key:1')).toBe('-----BEGIN KEY-----ü')
    expect(sealed).not.toContain('BEGIN')
  })

  test('do not open in another row, under another secret, or changed', () => {
    expect(() => secrets.decrypt(sealed, 'domain-key:2')).toThrow()
    expect(() => others.decrypt(sealed, 'domain-key:1')).toThrow()
    const bytes = Buffer.from(sealed, 'base64url')
    for (const at of [0, 12, 28, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(() => secrets.decrypt(changed.toString('base64url'), 'domain-key:1')).toThrow()
    }
    expect(() =>
      secrets.decrypt(bytes.subarray(0, 20).toString('base64url'), 'domain-key:1'),
    ).toThrow()
  })

  test('are different each time', () => {
    expect(secrets.encrypt('same', 'row')).not.toBe(secrets.encrypt('same', 'row'))
  })
})

test('each purpose has a key of its own', () => {
  expect(secrets.keyFor('access')).toHaveLength(32)
  expect(equalBytes(secrets.keyFor('access'), secrets.keyFor('access'))).toBe(true)
  expect(equalBytes(secrets.keyFor('access'), secrets.keyFor('refresh'))).toBe(false)
  expect(equalBytes(secrets.keyFor('access'), others.keyFor('access'))).toBe(false)
})

test('a code tells apart where one part ends and the next begins', () => {
  expect(secrets.mac('refresh', 'ab', 'c')).not.toEqual(secrets.mac('refresh', 'a', 'bc'))
  expect(secrets.mac('refresh', 'ab', 'c')).not.toEqual(secrets.mac('reset', 'ab', 'c'))
})

test('tokens are long, random, fit into a link, and are stored as a hash', () => {
  const tokens = new Set(Array.from({ length: 1000 }, randomToken))
  expect(tokens.size).toBe(1000)
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(hashToken('a')).toHaveLength(32)
  expect(hashToken('a')).not.toEqual(hashToken('b'))
  expect(equalBytes(Buffer.from('a'), Buffer.from('ab'))).toBe(false)
})

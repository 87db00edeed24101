import { describe, expect, test } from 'vitest'
import { endingOf, hashApiKey, looksLikeKey, newApiKey } from './api-key-text.ts'

describe('the text of an API key', () => {
  test('has a prefix, 178 random bits and a sum, and no two are the same', () => {
    const keys = Array.from({ length: 200 }, newApiKey)
    for (const key of keys) {
      expect(key).toMatch(/^mailstead_[0-9A-Za-z]{36}$/)
      expect(hashApiKey(key)).toHaveLength(32)
      expect(key.endsWith(endingOf(key))).toBe(true)
    }
    expect(new Set(keys).size).toBe(200)
  })

  test('with one letter that is wrong is no key, and asks nobody', () => {
    const key = newApiKey()
    for (let at = 10; at < key.length; at += 1) {
      const other = key[at] === 'a' ? 'b' : 'a'
      expect(hashApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBeNull()
    }
    for (const text of ['', 'mailstead_', `${key}0`, ` ${key}`, key.toUpperCase()])
      expect(hashApiKey(text)).toBeNull()
  })

  test('is told from an access token by its beginning', () => {
    expect(looksLikeKey(newApiKey())).toBe(true)
    expect(looksLikeKey('eyJhbGciOiJFZERTQSJ9.e30.x')).toBe(false)
  })
})

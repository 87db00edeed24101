import { expect, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import { hashesAtOnce, hashPassword, refuseCommonPassword, verifyPassword } from './passwords.ts'

test('a hash is argon2id with its own salt, and fits its password alone', async () => {
  const [hash, twin] = await Promise.all([
    hashPassword('Engine-No-1!'),
    hashPassword('Engine-No-1!'),
  ])
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(hash).not.toBe(twin)
  expect(await verifyPassword('Engine-No-1!', hash)).toBe(true)
  expect(await verifyPassword('Engine-No-2!', hash)).toBe(false)
  expect(await verifyPassword('Engine-No-1!', null)).toBe(false)
})

test('one password has one form, however it was typed', async () => {
  const hash = await hashPassword('Zo\u00eb-and-Zo\u00eb')
  expect(await verifyPassword('Zoe\u0308-and-Zoe\u0308', hash)).toBe(true)
})

test('a hash made at another cost still fits', async () => {
  // From the reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1
  const stored =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await verifyPassword('password', stored)).toBe(true)
})

test('the event loop stays free, and a crowd is told to come back', async () => {
  const stored = quickHash('x')
  const answers = Promise.allSettled(Array.from({ length: 150 }, () => verifyPassword('x', stored)))
  let turns = 0
  let isDone = false
  const turn = () => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  turn()
  const refused = (await answers).filter(({ status }) => status === 'rejected')
  isDone = true
  expect(refused).toHaveLength(150 - 60 - hashesAtOnce())
  expect(refused[0]).toMatchObject({ reason: { type: 'UNAVAILABLE', retryAfterSeconds: 2 } })
  expect(turns).toBeGreaterThan(61)
})

test('hashes leave a processor to everything else', () => {
  expect([1, 2, 3, 16].map(hashesAtOnce)).toEqual([1, 1, 2, 2])
})

test('a crowd of one network keeps another waiting for one of them at most', async () => {
  const order: string[] = []
  const stored = quickHash('x')
  const from = (ip: string) => verifyPassword('x', stored, ip).then(() => order.push(ip))
  const crowd = Array.from({ length: 20 }, () => from('192.0.2.1'))
  await from('198.51.100.1')
  expect(order.indexOf('198.51.100.1')).toBeLessThan(4)
  await Promise.all(crowd)
})

test('common passwords are refused whatever their case', () => {
  for (const common of ['password', 'PassWord1', '12345678', 'P@ssw0rd', 'qwerty123', 'iloveyou'])
    expect(() => refuseCommonPassword(common), common).toThrow(AppError)
  for (const good of ['Engine-No-1!', 'correct horse battery'])
    expect(() => refuseCommonPassword(good)).not.toThrow()
})

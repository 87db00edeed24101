import { createSocket } from 'node:dgram'
import { encode } from 'dns-packet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDns } from './dns-client.ts'
import { decodeReply } from './dns-wire.ts'

const query = { id: 7, name: 'a.example', type: 'TXT' as const, isRecursive: false, hasEdns: true }

const whole = encode({
  type: 'response',
  id: 7,
  flags: 0x400,
  questions: [{ type: 'TXT', name: 'a.example' }],
  answers: [
    { type: 'CNAME', name: 'a.example', ttl: 5, data: 'b.example' },
    { type: 'TXT', name: 'b.example', ttl: 5, data: ['v=spf1 ', '-all'] },
    { type: 'MX', name: 'b.example', ttl: 5, data: { preference: 1, exchange: 'c.example' } },
    { type: 'SRV', name: 'b.example', ttl: 5, data: { port: 1, target: 'c.example' } },
    { type: 'AAAA', name: 'b.example', ttl: 5, data: '2001:db8::1' },
  ],
  authorities: [{ type: 'NS', name: 'example', data: 'ns.example' }],
})

const bytes = fc.uint8Array({ maxLength: 600 }).map((some) => Buffer.from(some))

/** A valid answer with some bytes changed or cut off. */
const damaged = fc
  .record({
    changes: fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }),
    length: fc.integer({ min: 0, max: whole.length }),
    isCut: fc.boolean(),
  })
  .map(({ changes, length, isCut }) => {
    const copy = Buffer.from(whole)
    for (const [at, byte] of changes) copy[at] = byte
    return isCut ? copy.subarray(0, length) : copy
  })

test('no bytes make reading an answer throw, and what is read has its types', () => {
  fc.assert(
    fc.property(fc.oneof(damaged, bytes), (answer) => {
      const read = decodeReply(answer, query)
      if (typeof read === 'string') return
      for (const record of [...read.answers, ...read.referrals, ...read.glue]) {
        expect(typeof record.data).toBe('string')
        expect(Number.isInteger(record.ttlSeconds)).toBe(true)
      }
      expect(read.negativeTtlSeconds).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 3000 },
  )
})

test('a server that sends any bytes at all is one that did not answer', async () => {
  const answers = fc.sample(fc.oneof(damaged, bytes), 120)
  const socket = createSocket('udp4')
  socket.on('message', (asked, from) => {
    const answer = Buffer.from(answers.pop() ?? Buffer.alloc(0))
    // The right id, so that the client reads the answer.
    if (answer.length >= 2) asked.copy(answer, 0, 0, 2)
    socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  const { port } = socket.address()
  const dns = openDns({
    servers: [`127.0.0.1:${port}`],
    port,
    allowLoopbackPeers: true,
    timeoutMs: 150,
  })
  while (answers.length > 0) {
    const seen = await dns.observe('a.example', 'TXT')
    for (const { outcome, records } of [...seen.authorities, ...seen.resolvers])
      expect(outcome === 'found').toBe(records.length > 0)
  }
  socket.close()
})

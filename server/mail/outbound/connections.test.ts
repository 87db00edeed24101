/** Connections to other servers are reused, counted, limited, and have timeouts. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { anOutgoingWorld, areAll, type OutgoingWorld } from '#test-world/outgoing/outgoing-world.ts'
import type { PeerStage } from '#test-world/smtp/smtp-peer.ts'

let world: OutgoingWorld
beforeAll(async () => {
  world = await anOutgoingWorld()
})
afterAll(() => world.close())
afterEach(() => world.clear())

const patient = { idleMs: 10_000 }

/** One after the other. */
const deliver = async (...recipients: string[]) => {
  for (const recipient of recipients) {
    await world.send(recipient)
    await world.until(areAll('delivered'))
  }
}

describe('a connection is kept for the next mail', () => {
  test('and closed after fifty', async () => {
    await world.work(patient)
    await deliver(...Array.from({ length: 3 }, (_, n) => `user${n}@example.net`))
    expect(world.peer.connections).toBe(1)
    await deliver(...Array.from({ length: 48 }, (_, n) => `more${n}@example.net`))
    expect(world.peer.connections).toBe(2)
    expect(world.peer.messages.flatMap(({ to }) => to)).toHaveLength(51)
  })

  test('not for long', async () => {
    await world.work({ ...patient, keepMs: 30 })
    await deliver('a@example.net')
    while (world.peer.open() > 0) await world.deliveries()
    await deliver('b@example.net')
    expect(world.peer.connections).toBe(2)
  })

  test('also after a mail that was refused', async () => {
    world.peer.behave = (stage, to) =>
      stage === 'rcpt' && to.startsWith('gone@') ? '550 5.1.1 nobody' : undefined
    await world.work(patient)
    await world.send('gone@example.net')
    await world.until(areAll('failed'))
    await world.send('here@example.net')
    await world.until(areAll('failed', 'delivered'))
    expect(world.peer.messages.map(({ to }) => to)).toEqual([['here@example.net']])
    expect(world.peer.connections).toBe(1)
  })

  test('and every mail has its own sender, recipient and bytes', async () => {
    await world.work(patient)
    await world.send('a@example.net', Buffer.from('Subject: first\r\n\r\n.\r\n'))
    await world.until(areAll('delivered'))
    await world.send('b@example.net', Buffer.from('Subject: second\r\n\r\n..\r\n'))
    await world.until(areAll('delivered'))
    expect(world.peer.messages.map(({ to, raw }) => [to, raw.toString()])).toEqual([
      [['a@example.net'], 'Subject: first\r\n\r\n.\r\n'],
      [['b@example.net'], 'Subject: second\r\n\r\n..\r\n'],
    ])
  })
})

describe('a kept connection that has gone', () => {
  test('is dialled anew, and no attempt is told of it', async () => {
    await world.work(patient)
    await deliver('a@example.net')
    world.peer.hangUp()
    await deliver('b@example.net')
    expect((await world.ledger()).map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered'])
    expect(world.peer.connections).toBe(2)
  })

  test.each([
    ['cut at RSET', 'rset', 'cut'],
    ['closed at RSET', 'rset', '421 4.4.2 idle for too long'],
    ['cut at MAIL', 'mail', 'cut'],
    ['closed at MAIL', 'mail', '421 4.7.0 enough mails for one connection'],
    ['cut at RCPT', 'rcpt', 'cut'],
    ['cut at DATA', 'data', 'cut'],
  ] as const)('%s: the same', async (_name, at, how) => {
    await world.work(patient)
    await deliver('a@example.net')
    const misbehaving = once(at, how)
    world.peer.behave = misbehaving
    await deliver('b@example.net')
    expect(misbehaving.hasBeen()).toBe(true)
    expect((await world.ledger()).map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered'])
    expect(world.peer.messages).toHaveLength(2)
    expect(world.peer.connections).toBe(2)
  })

  test.each([
    ['in the middle of the mail', 'content', 0],
    ['after the final dot', 'dot', 1],
  ] as const)('cut %s: an attempt like any other', async (_name, at, taken) => {
    await world.work(patient)
    await deliver('a@example.net')
    world.peer.behave = once(at, 'cut')
    await world.send('b@example.net')
    await world.until((rows) =>
      rows.some(({ attempts, status }) => attempts === 1 && status === 'queued'),
    )
    expect((await world.ledger()).map(({ outcome }) => outcome)).toEqual(['delivered', 'deferred'])
    expect(world.peer.messages).toHaveLength(1 + taken)
  })
})

const once = (at: PeerStage, how: string) => {
  let isDone = false
  const behave = (stage: PeerStage) => {
    if (stage !== at || isDone) return undefined
    isDone = true
    return how
  }
  return Object.assign(behave, { hasBeen: () => isDone })
}

describe('limits', () => {
  test('many domains at one host share its ten connections, and what waits has made no attempt', async () => {
    const names = ['one', 'two', 'three', 'four']
    for (const name of names) world.dns.set(`${name}.example.org`, 'MX', ['10 shared.example.org'])
    let held = 0
    const shared = await world.host('shared', '127.0.0.8', {
      behave: (stage) => {
        if (stage !== 'rcpt' || held >= 10) return undefined
        held += 1
        return 'stall'
      },
    })
    await world.work(patient)
    for (const name of names)
      for (let n = 0; n < 5; n++) await world.send(`user${n}@${name}.example.org`)
    await world.until((rows) => held === 10 && rows.filter(isSending).length === 10)
    // Mail to other hosts does not wait for them.
    await world.send('bob@example.net')
    await world.peer.arrived(1)
    expect(shared.connections).toBe(10)
    shared.hangUp()
    await world.until((rows) => rows.filter(({ status }) => status === 'delivered').length === 11)
    await world.until((rows) => !rows.some(isSending))
    const rows = await world.deliveries()
    expect(rows.filter(({ status }) => status === 'queued')).toHaveLength(10)
    expect(rows.every(({ attempts }) => attempts === 1)).toBe(true)
    expect(await world.ledger()).toHaveLength(21)
  })

  test('hosts that drip their answers hold neither the slots nor their connections', async () => {
    for (const n of [1, 2, 3, 4])
      await world.host(`drip${n}`, `127.0.0.${10 + n}`, {
        behave: (stage) => (stage === 'ehlo' ? 'drip' : undefined),
      })
    await world.work({ ...patient, idleMs: 1_000, slowMs: 0, wholeMs: 1_000 })
    for (const n of [1, 2, 3, 4])
      for (let each = 0; each < 5; each++) await world.send(`user${each}@drip${n}.example.org`)
    // On a busy machine the first may be over when the last begins.
    const hasBegun = (row: { status: string; attempts: number }) =>
      isSending(row) || row.attempts === 1
    await world.until((rows) => rows.filter(hasBegun).length === 20)
    await world.send('bob@example.net')
    await world.peer.arrived(1)
    const rows = await world.until((all) => !all.some(isSending))
    expect(rows.filter(({ attempts }) => attempts === 1)).toHaveLength(21)
    expect((await world.ledger()).filter(({ outcome }) => outcome === 'deferred')).toHaveLength(20)
    expect((await world.ledger()).map(({ reply }) => reply)).toContain(
      'The conversation took longer than 1 s',
    )
  })

  test('a mail that is larger than the host takes is not tried for five days', async () => {
    await world.host('small', '127.0.0.20', { extensions: ['SIZE 20'] })
    await world.work(patient)
    await world.send('bob@small.example.org')
    await world.until(areAll('failed'))
    expect((await world.ledger()).map(({ reply }) => reply)).toEqual([
      expect.stringMatching(/^552 5\.3\.4 small\.example\.org takes no message of this size/),
    ])
  })
})

const isSending = ({ status }: { status: string }): boolean => status === 'sending'

describe('both families', () => {
  test('IPv4 first, then IPv6', async () => {
    const six = await world.host('both', '::1')
    world.dns.set('both.example.org', 'A', ['127.0.0.21'])
    await world.work(patient)
    await deliver('bob@both.example.org')
    expect(six.messages).toHaveLength(1)
    expect((await world.ledger()).map(({ ip }) => ip)).toEqual(['127.0.0.21', '::1'])
    world.dns.remove('both.example.org')
  })

  test('IPv6 first where it is one of MAIL_IPS', async () => {
    const six = await world.host('both', '::1')
    world.dns.set('both.example.org', 'A', ['127.0.0.1'])
    await world.work(patient, { mailIps: ['192.0.2.1', '2001:db8::1'] })
    await deliver('bob@both.example.org')
    expect(six.messages).toHaveLength(1)
    expect((await world.ledger()).map(({ ip }) => ip)).toEqual(['::1'])
    world.dns.remove('both.example.org')
  })
})

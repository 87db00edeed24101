import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server as TcpServer } from 'node:net'
import { decode, encode, streamEncode } from 'dns-packet'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import type { DnsAnswer } from './dns.ts'
import { openDns } from './dns-client.ts'

let world: TestDns

beforeEach(async () => {
  world = await aDnsServer()
  world.zone('example.com')
})
afterEach(() => world.close())

const client = (servers = [world.address], timeoutMs = 400) =>
  openDns({ servers, port: world.port, allowLoopbackPeers: true, timeoutMs })

const values = (answer: DnsAnswer) =>
  answer.outcome === 'found' ? answer.records.map((record) => record.data) : answer.outcome

/** A server whose answers the test defines. */
const aForger = async (
  respond: (query: Buffer) => Buffer[],
): Promise<{ port: number; socket: Socket }> => {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    for (const answer of respond(query)) socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  return { port: socket.address().port, socket }
}

/** A forger over UDP, and this server over TCP: a port that is free for one may be taken for the other. */
const onOnePort = async (server: TcpServer, respond: (query: Buffer) => Buffer[]) => {
  for (;;) {
    const forger = await aForger(respond)
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false)).listen(forger.port, '127.0.0.1', () => done(true))
    })
    if (isFree) return forger
    forger.socket.close()
  }
}

test('TXT strings are joined, and long values arrive whole', async () => {
  const key = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`
  world.set('k1._domainkey.example.com', 'TXT', [key])
  world.set('example.com', 'TXT', [['v=spf1 ', '-all'], 'other'])
  expect(values(await client().lookUp('k1._domainkey.example.com', 'TXT'))).toEqual([key])
  const found = await client().lookUp('Example.COM.', 'TXT')
  expect(values(found)).toEqual(['v=spf1 -all', 'other'])
  expect(found).toMatchObject({ records: [{ strings: ['v=spf1 ', '-all'] }, {}] })
})

test('every type is read', async () => {
  world.set('example.com', 'MX', ['10 Mail.Example.com', '20 .'])
  world.set('_imaps._tcp.example.com', 'SRV', ['0 1 993 mail.example.com'])
  world.set('_25._tcp.example.com', 'TLSA', ['3 1 1 00ff'])
  const mx = await client().lookUp('example.com', 'MX')
  expect(mx).toMatchObject({
    records: [
      { data: 'mail.example.com', preference: 10 },
      { data: '.', preference: 20 },
    ],
  })
  expect(values(await client().lookUp('_imaps._tcp.example.com', 'SRV'))).toEqual([
    '0 1 993 mail.example.com',
  ])
  expect(values(await client().lookUp('_25._tcp.example.com', 'TLSA'))).toEqual(['3 1 1 00ff'])
})

test('a missing name, a missing type and a failure are told apart', async () => {
  world.set('www.example.com', 'A', ['192.0.2.1'])
  world.behave('broken.example.com', 'servfail')
  world.behave('closed.example.com', 'refused')
  expect(await client().lookUp('nothing.example.com', 'A')).toMatchObject({
    outcome: 'none',
    isNxdomain: true,
  })
  expect(await client().lookUp('www.example.com', 'TXT')).toMatchObject({
    outcome: 'none',
    isNxdomain: false,
  })
  expect(await client().lookUp('broken.example.com', 'A')).toMatchObject({
    outcome: 'failed',
    reason: `127.0.0.1:${world.port} answered SERVFAIL`,
  })
  expect(await client().lookUp('closed.example.com', 'A')).toMatchObject({ outcome: 'failed' })
})

test('silence fails after the time limit, bytes that are no answer at once', async () => {
  world.behave('silent.example.com', 'silent')
  world.behave('garbage.example.com', 'garbage')
  const started = Date.now()
  expect(await client().lookUp('silent.example.com', 'A')).toMatchObject({ outcome: 'failed' })
  expect(Date.now() - started).toBeGreaterThanOrEqual(390)
  expect(await client().lookUp('garbage.example.com', 'A')).toMatchObject({ outcome: 'failed' })
})

test('a cut answer is asked for again over TCP', async () => {
  world.set('cut.example.com', 'TXT', ['whole'])
  world.behave('cut.example.com', 'truncate')
  const many = Array.from({ length: 30 }, (_, at) => `${at} ${'x'.repeat(200)}`)
  world.set('big.example.com', 'TXT', many)
  expect(values(await client().lookUp('cut.example.com', 'TXT'))).toEqual(['whole'])
  expect(values(await client().lookUp('big.example.com', 'TXT'))).toEqual(many)
  expect(world.queries.map((query) => query.transport)).toEqual(['udp', 'tcp', 'udp', 'tcp'])
})

test('aliases are followed, 8 at most', async () => {
  world.set('a0.example.com', 'CNAME', ['a1.example.com'])
  world.set('a1.example.com', 'CNAME', ['a2.example.com'])
  world.set('a2.example.com', 'TXT', ['here'])
  expect(await client().lookUp('a0.example.com', 'TXT')).toMatchObject({
    outcome: 'found',
    chain: ['a1.example.com', 'a2.example.com'],
    records: [{ data: 'here' }],
  })
  world.set('dangling.example.com', 'CNAME', ['nothing.example.com'])
  expect(await client().lookUp('dangling.example.com', 'TXT')).toMatchObject({
    outcome: 'none',
    isNxdomain: true,
  })
  for (let at = 0; at < 9; at++)
    world.set(`b${at}.example.com`, 'CNAME', [`b${at + 1}.example.com`])
  world.set('b9.example.com', 'TXT', ['too far'])
  expect(await client().lookUp('b0.example.com', 'TXT')).toMatchObject({ outcome: 'failed' })
  expect(await client().lookUp('b1.example.com', 'TXT')).toMatchObject({ outcome: 'found' })
  world.set('loop.example.com', 'CNAME', ['loop.example.com'])
  expect(await client().lookUp('loop.example.com', 'TXT')).toMatchObject({ outcome: 'failed' })
})

test('an answer with another id or question is not believed', async () => {
  const forged = (query: Buffer, change: { id?: number; name?: string }) => {
    const { id = 0, questions = [] } = decode(query)
    const name = change.name ?? questions[0]?.name ?? ''
    return encode({
      type: 'response',
      id: change.id ?? id,
      questions: [{ type: 'A', name }],
      answers: [{ type: 'A', name, data: '203.0.113.66' }],
    })
  }
  for (const change of [{ id: 1 }, { name: 'evil.example.com' }]) {
    const { port, socket } = await aForger((query) => [forged(query, change)])
    const dns = openDns({
      servers: [`127.0.0.1:${port}`],
      port,
      allowLoopbackPeers: true,
      timeoutMs: 300,
    })
    const id = await dns.lookUp('example.com', 'A')
    expect(id).toMatchObject({ outcome: 'failed' })
    socket.close()
  }
})

test('after a forged answer the server is asked over TCP, where a forger cannot follow', async () => {
  const server = createServer((connection) => {
    connection.once('data', (bytes: Buffer) => {
      const { id, questions } = decode(bytes.subarray(2))
      const answers = [{ type: 'A' as const, name: 'example.com', data: '192.0.2.10' }]
      connection.end(streamEncode({ type: 'response', id, questions, answers }))
    })
  })
  const forge = (query: Buffer) => [
    encode({
      type: 'response',
      id: decode(query).id === 7 ? 8 : 7,
      questions: decode(query).questions,
    }),
  ]
  const { port, socket } = await onOnePort(server, forge)
  const dns = client([`127.0.0.1:${port}`])
  expect(values(await dns.lookUp('example.com', 'A'))).toEqual(['192.0.2.10'])
  socket.close()
  await new Promise<void>((done) => server.close(() => done()))
})

test('records of other names in an answer are ignored', async () => {
  const { port, socket } = await aForger((query) => {
    const { id = 0, questions = [] } = decode(query)
    return [
      encode({
        type: 'response',
        id,
        questions,
        answers: [
          { type: 'A', name: 'other.example.com', data: '203.0.113.66' },
          { type: 'A', name: 'EXAMPLE.com', data: '192.0.2.7' },
        ],
      }),
    ]
  })
  const dns = openDns({
    servers: [`127.0.0.1:${port}`],
    port,
    allowLoopbackPeers: true,
    timeoutMs: 300,
  })
  expect(values(await dns.lookUp('example.com', 'A'))).toEqual(['192.0.2.7'])
  socket.close()
})

test('a server that does not know EDNS is asked without', async () => {
  const { port, socket } = await aForger((query) => {
    const { id = 0, questions = [], additionals = [] } = decode(query)
    if (additionals.length > 0) return [encode({ type: 'response', id, flags: 1, questions })]
    return [
      encode({
        type: 'response',
        id,
        questions,
        answers: [{ type: 'A', name: 'example.com', data: '192.0.2.8' }],
      }),
    ]
  })
  const dns = openDns({
    servers: [`127.0.0.1:${port}`],
    port,
    allowLoopbackPeers: true,
    timeoutMs: 300,
  })
  expect(values(await dns.lookUp('example.com', 'A'))).toEqual(['192.0.2.8'])
  socket.close()
})

test('servers are tried in order', async () => {
  const silent = await aForger(() => [])
  world.set('example.com', 'A', ['192.0.2.9'])
  const dead = await aForger(() => [])
  await new Promise<void>((done) => dead.socket.close(() => done()))
  const dns = client([`127.0.0.1:${silent.port}`, `127.0.0.1:${dead.port}`, world.address], 900)
  expect(await dns.lookUp('example.com', 'A')).toMatchObject({
    outcome: 'found',
    servers: [world.address],
  })
  silent.socket.close()
})

test("the zone's own servers are believed before a resolver's old answer", async () => {
  world.set('_mailstead.example.com', 'TXT', ['new'])
  world.setCached('_mailstead.example.com', 'TXT', ['old'])
  expect(values(await client().lookUp('_mailstead.example.com', 'TXT'))).toEqual(['old'])
  expect(values(await client().lookUpAtSource('_mailstead.example.com', 'TXT'))).toEqual(['new'])
  expect(world.queries.at(-1)).toMatchObject({ part: 'authority', name: '_mailstead.example.com' })
})

test('the resolver is asked when the own servers do not answer, or not with authority', async () => {
  world.set('example.com', 'TXT', ['from the resolver'])
  for (const behaviour of ['silent', 'refused', 'servfail', 'lame'] as const) {
    world.behave('example.com', behaviour, 'authority')
    expect(values(await client().lookUpAtSource('example.com', 'TXT')), behaviour).toEqual([
      'from the resolver',
    ])
  }
  world.behave('example.com', 'servfail')
  expect(await client().lookUpAtSource('example.com', 'TXT')).toMatchObject({ outcome: 'failed' })
})

test('the zone cut is found below a delegated subdomain', async () => {
  world.zone('team.example.com', '127.0.0.1')
  world.set('team.example.com', 'TXT', ['own zone'])
  expect(values(await client().lookUpAtSource('team.example.com', 'TXT'))).toEqual(['own zone'])
  expect(world.queries).toContainEqual({
    name: 'team.example.com',
    type: 'NS',
    transport: 'udp',
    part: 'resolver',
  })
})

test('what delegates is asked once for look-ups that share a memo', async () => {
  const dns = client()
  const memo = new Map()
  await Promise.all(
    ['example.com', '_dmarc.example.com'].map((name) => dns.lookUpAtSource(name, 'TXT', memo)),
  )
  expect(world.queries.filter((query) => query.type === 'NS')).toHaveLength(1)
})

test('private name servers are dialled only where loopback peers are allowed', async () => {
  world.set('example.com', 'TXT', ['resolver'])
  const dns = openDns({
    servers: [world.address],
    port: world.port,
    allowLoopbackPeers: false,
    timeoutMs: 400,
  })
  expect(values(await dns.lookUpAtSource('example.com', 'TXT'))).toEqual(['resolver'])
  expect(world.queries.some((query) => query.part === 'authority')).toBe(false)
})

test('a name that cannot be written in DNS is not there', async () => {
  for (const name of ['', 'a..b', `${'x'.repeat(64)}.com`, `${'abc.'.repeat(70)}com`])
    expect(await client().lookUp(name, 'A'), name).toMatchObject({
      outcome: 'none',
      isNxdomain: true,
    })
  expect(world.queries).toEqual([])
})

test('resolve has the shapes and the codes of node:dns', async () => {
  world.set('example.com', 'TXT', [['a', 'b']])
  world.set('example.com', 'MX', ['10 mail.example.com'])
  world.behave('broken.example.com', 'servfail')
  world.behave('silent.example.com', 'silent')
  const { resolve } = client()
  expect(await resolve('example.com', 'TXT')).toEqual([['a', 'b']])
  expect(await resolve('example.com', 'MX')).toEqual([
    { exchange: 'mail.example.com', priority: 10 },
  ])
  await expect(resolve('none.example.com', 'A')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(resolve('example.com', 'A')).rejects.toMatchObject({ code: 'ENODATA' })
  await expect(resolve('broken.example.com', 'A')).rejects.toMatchObject({ code: 'ESERVFAIL' })
  await expect(resolve('silent.example.com', 'A')).rejects.toMatchObject({ code: 'ETIMEOUT' })
})

/** COMPRESS=DEFLATE (RFC 4978) over real sockets. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { constants, deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { ImapClient } from '#test-world/imap/imap-client.ts'
import { anImapWorld, type ImapReader, type ImapWorld } from '#test-world/imap/imap-world.ts'
import { Compression } from './compression.ts'

let app: TestApp
let world: ImapWorld
let reader: ImapReader
let client: ImapClient
beforeAll(async () => {
  app = await anApp()
  world = await anImapWorld(app)
})
afterAll(async () => {
  await world.close()
  await app.close()
})
beforeEach(async () => {
  reader = await world.aReader()
  client = await reader.signIn()
})

const compress = async (): Promise<void> => {
  expect(await client.run('COMPRESS DEFLATE')).toEqual({
    untagged: [],
    ending: expect.stringMatching(/^OK/),
  })
  client.goCompressed()
}

const deflated = (text: string | Buffer): Buffer =>
  deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH })

const come = async (subject: string): Promise<void> => {
  const { id: mailboxId, workspaceId } = reader.mailbox
  const raw = Buffer.from(`From: ada@example.org\r\nSubject: ${subject}\r\n\r\nHello\r\n`)
  await receiveMessage(app, app.db, { raw, mailFrom: '', authentication: null }, [
    { mailboxId, workspaceId },
  ])
}

test('a session goes on compressed: literals both ways, IDLE, and the end', async () => {
  expect((await client.ok('CAPABILITY'))[0]).toContain(' COMPRESS=DEFLATE')
  await compress()
  const raw = `Subject: Long\r\n\r\n${'Many lines of much the same.\r\n'.repeat(20_000)}`
  client.send(`L APPEND INBOX {${raw.length}}\r\n`)
  await client.until('+ ')
  client.send(`${raw}\r\n`)
  expect(await client.until('L ')).toEqual([expect.stringMatching(/^L OK \[APPENDUID \d+ 1\]/)])
  await client.ok('SELECT INBOX')
  expect(await client.ok('FETCH 1 BODY.PEEK[]')).toEqual([
    `* 1 FETCH (BODY[] {${raw.length}}\r\n${raw})`,
  ])
  client.send('I IDLE\r\n')
  await client.until('+ ')
  await come('News')
  expect(await client.until('* 2 FETCH')).toContain('* 2 EXISTS')
  client.send('DONE\r\nN NOOP\r\n')
  await client.until('N OK')
  expect((await client.run('COMPRESS DEFLATE')).ending).toMatch(/^NO \[COMPRESSIONACTIVE\]/)
  expect(await client.ok('LOGOUT')).toEqual(['* BYE Until soon'])
  expect(await client.ended()).toBe(true)
})

test('it begins after the sign-in alone, and knows nothing but DEFLATE', async () => {
  const stranger = await ImapClient.connect(world.door.imap, { isTls: false })
  await stranger.until('* OK')
  expect((await stranger.run('COMPRESS DEFLATE')).ending).toMatch(/^BAD/)
  await stranger.startTls()
  expect((await stranger.run('COMPRESS DEFLATE')).ending).toMatch(/^BAD/)
  await stranger.ok(`LOGIN ${reader.mailbox.email} ${reader.password}`)
  expect((await stranger.run('COMPRESS LZ4')).ending).toMatch(/^BAD/)
  await stranger.ok('COMPRESS DEFLATE')
  stranger.goCompressed()
  expect(await stranger.ok('NOOP')).toEqual([])
  stranger.close()
})

describe('what comes together with the command', () => {
  test('is answered when it is compressed', async () => {
    const next = deflated('D NOOP\r\nE NAMESPACE\r\n')
    client.send(Buffer.concat([Buffer.from('C COMPRESS DEFLATE\r\n'), next]))
    await client.until('C OK')
    client.goCompressed()
    expect(await client.until('E ')).toEqual([
      'D OK Done',
      '* NAMESPACE (("" "/")) NIL NIL',
      'E OK Told',
    ])
  })

  test('ends the connection when it is not', async () => {
    client.send('C COMPRESS DEFLATE\r\nD NOOP\r\n')
    await client.until('C OK')
    client.goCompressed()
    expect(await client.until('* BYE')).toEqual(['* BYE This is not DEFLATE'])
  })
})

describe('what a client cannot do by it', () => {
  test('broken bytes end its connection, and no other', async () => {
    const other = await reader.signIn()
    await compress()
    client.sendRaw(Buffer.from('7fffffffffffff', 'hex'))
    expect(await client.until('* BYE')).toEqual(['* BYE This is not DEFLATE'])
    expect(await client.ended()).toBe(true)
    expect(await other.ok('NOOP')).toEqual([])
  })

  test('an end of the compressed bytes is the end', async () => {
    await compress()
    client.sendRaw(deflateRawSync('x NOOP\r\n'))
    client.sendRaw(Buffer.from('y NOOP\r\n'))
    expect((await client.until('* BYE')).at(-1)).toBe('* BYE The compressed bytes have ended')
  })

  test('few bytes become no endless line', async () => {
    await compress()
    client.sendRaw(deflated(Buffer.alloc(30_000_000, 'x')))
    expect((await client.until('* BYE')).at(-1)).toBe('* BYE This is compressed too much')
    expect(await client.ended()).toBe(true)
  })

  test('a message may be as even as it likes', async () => {
    await compress()
    const raw = `Subject: Even\r\n\r\n${'x'.repeat(15_000_000)}\r\n`
    client.sendRaw(deflated(`E APPEND INBOX {${raw.length}+}\r\n${raw}\r\n`))
    expect(await client.until('E ')).toEqual([expect.stringMatching(/^E OK/)])
  })

  test('nothing is unpacked before there is room for it', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const peer = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
    const [socket] = (await once(server, 'connection')) as [Socket]
    const { received } = new Compression(socket, Buffer.alloc(0), () => {})
    peer.write(deflated(Buffer.alloc(400_000)))
    let [unpacked, most] = [0, 0]
    for await (const bytes of received) {
      unpacked += bytes.length
      for (let n = 0; n < 10; n++) await turn()
      most = Math.max(most, received.readableLength)
      if (unpacked === 400_000) break
    }
    expect(unpacked).toBe(400_000)
    expect(most).toBeLessThan(100_000)
    socket.destroy()
    server.close()
  })
})

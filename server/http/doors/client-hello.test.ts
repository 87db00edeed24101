import { once } from 'node:events'
import { createServer } from 'node:net'
import { connect } from 'node:tls'
import { beforeAll, expect, test } from 'vitest'
import { readClientHello } from './client-hello.ts'

/** As OpenSSL writes it. */
const helloOf = async (options: { servername?: string; ALPNProtocols?: string[] }) => {
  const server = createServer((socket) => socket.once('data', (bytes) => got.resolve(bytes)))
  const got = Promise.withResolvers<Buffer>()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  const client = connect({ port, host: '127.0.0.1', ...options })
  client.on('error', () => {})
  const bytes = await got.promise
  client.destroy()
  server.close()
  return bytes
}

let hello: Buffer
beforeAll(async () => {
  hello = await helloOf({ servername: 'Mail.Example.com', ALPNProtocols: ['h2', 'acme-tls/1'] })
})

test('name and protocols; neither is needed', async () => {
  expect(readClientHello(hello)).toEqual({
    ...{ serverName: 'mail.example.com', protocols: ['h2', 'acme-tls/1'] },
  })
  expect(readClientHello(await helloOf({}))).toEqual({ serverName: null, protocols: [] })
})

test('every beginning asks for more, and bytes after it change nothing', () => {
  for (let end = 0; end < hello.length; end += 1)
    expect(readClientHello(hello.subarray(0, end))).toBe('more')
  expect(readClientHello(Buffer.concat([hello, Buffer.from('more')]))).toEqual(
    readClientHello(hello),
  )
})

test('what is no hello is none, at once', () => {
  for (const text of ['GET / HTTP/1.1\r\n', '\x80\x2e\x01', '\x16\x03\x01\xff\xff'])
    expect(readClientHello(Buffer.from(text, 'latin1'))).toBeNull()
})

test('whatever byte is changed, it is read or refused', () => {
  for (let at = 5; at < hello.length; at += 1)
    for (const value of [0, 1, 0x7f, 0xff]) {
      const changed = Buffer.from(hello)
      changed[at] = value
      const found = readClientHello(changed)
      expect(found === null || typeof found === 'object').toBe(true)
    }
})

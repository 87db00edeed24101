/** Crowds of strangers: forms that are refused, and connections on which nothing is asked. */
import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let port: number
beforeAll(async () => {
  app = await anApp()
  const connections = { ofAll: 12, ofNetwork: 8 }
  server = await openHttpServer(app, { connections, refusedForms: 3 })
  await server.listen({ port: 0, host: '127.0.0.1' })
  port = (server.server.address() as AddressInfo).port
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const url = '/api/v1/auth/login'
const logIn = (localAddress: string, body: string): Promise<number | undefined> =>
  new Promise((done, fail) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const asked = request({ port, localAddress, method: 'POST', path: url, headers })
    asked.on('error', fail).on('response', (answer) => {
      void text(answer).then(() => done(answer.statusCode))
    })
    asked.end(body)
  })

test('a form of strangers is small, in bytes and values', async () => {
  const post = (payload: string) =>
    server.inject({
      ...{ method: 'POST' as const, url, payload, remoteAddress: '192.0.2.9' },
      headers: { 'content-type': 'application/json' },
    })
  expect((await post(`{"email":"${'x'.repeat(9_000)}"}`)).statusCode).toBe(413)
  expect((await post(`[${'[],'.repeat(200)}[]]`)).statusCode).toBe(413)
})

test('refused forms count for their network, and then none of its forms is read', async () => {
  for (let n = 0; n < 3; n++) expect(await logIn('127.0.4.1', '{"email":"x"}')).toBe(422)
  expect(await logIn('127.0.4.1', '{"email":"x"}')).toBe(429)
  expect(await logIn('127.0.4.2', '{"email":"x"}')).toBe(422)
})

const idle: Socket[] = []
const open = async (localAddress: string, line = ''): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  idle.push(socket.on('error', () => {}).resume())
  await once(socket, 'connect')
  socket.write(line)
  return socket
}
const isOver = (socket: Socket) => socket.destroyed || socket.readableEnded

test('where places run out the idlest connection goes, and others are served all the while', async () => {
  const slowBody = `POST ${url} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`
  const first = await open('127.0.5.1', slowBody)
  for (let n = 0; n < 7; n++) await open('127.0.5.1')
  expect(isOver(first)).toBe(false)
  // One too many of this network.
  await open('127.0.5.1')
  await expect.poll(() => isOver(first)).toBe(true)
  // One too many of all: the network that has most gives it up.
  const theirs = [await open('127.0.6.1'), await open('127.0.6.1'), await open('127.0.6.1')]
  for (let n = 0; n < 5; n++) expect(await logIn('127.0.7.1', '{"email":"x"}')).not.toBe(0)
  expect(theirs.some(isOver)).toBe(false)
  await expect.poll(() => idle.filter(isOver).length).toBeGreaterThan(1)
  for (const socket of idle) socket.destroy()
})

const unread = (request: string) => {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.7.1' })
  idle.push(socket.on('error', () => {}))
  const isCut = () => socket.destroyed || socket.closed
  const send = () => {
    if (socket.writable) socket.write(request, send)
  }
  send()
  return isCut
}

test('who asks ahead without reading an answer is cut off, and nothing of it is begun any more', async () => {
  let begun = 0
  const count = () => {
    begun += 1
  }
  server.server.on('request', count)
  const isCut = unread('GET /api/v1/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(200))
  await expect.poll(isCut).toBe(true)
  server.server.off('request', count)
  const other = await server.inject({ url: '/healthz' })
  expect(other.statusCode).toBe(200)
  expect(begun).toBeGreaterThan(0)
})

test.each([
  ['an open form', 'POST /api/v1/auth/login'],
  ['a route that asks who it is', 'POST /api/v1/domains'],
  ['a path that nothing has', 'POST /api/v1/nothing'],
  ['a page', 'POST /nothing'],
  ['what takes no body', 'GET /healthz'],
])('a body of endless small pieces to %s ends its connection', async (_name, line) => {
  const head = `${line} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.7.2' })
  idle.push(socket.on('error', () => {}).resume())
  socket.write(head)
  const pieces = '1\r\na\r\n'.repeat(1_000)
  const send = () => {
    if (socket.writable) socket.write(pieces, send)
  }
  send()
  await expect.poll(() => socket.destroyed || socket.closed).toBe(true)
})

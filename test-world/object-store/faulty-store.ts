/** Stands in front of an object store and spoils what goes through, as networks, proxies and stores under load do. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { ObjectStore } from './object-store.ts'

export const faults = [
  'answers 500',
  'answers 503',
  'is cut before it gets there',
  'is cut while it is sent',
  'is done, and its answer is lost',
  'is answered in part',
  'is answered late',
  'is never answered',
  'is changed on its way',
] as const
export type Fault = (typeof faults)[number]

/** `spoil` is asked for each request, by its method and path; null: it passes. */
export type FaultyStore = ObjectStore & {
  spoil: (method: string, path: string) => Fault | null
  /** Requests so far. */
  requests: string[]
}

const LATE_MS = 300

export const inFrontOf = async (store: ObjectStore): Promise<FaultyStore> => {
  const behind = new URL(store.url('x').replace('s3:', 'http:'))
  const server = createServer((incoming, response) => {
    void pass(incoming, response).catch(() => response.destroy())
  })
  const pass = async (incoming: IncomingMessage, response: ServerResponse) => {
    const [method, path] = [incoming.method ?? '', incoming.url ?? '']
    faulty.requests.push(`${method} ${path}`)
    const fault = faulty.spoil(method, path)
    if (fault === 'is cut before it gets there') return void incoming.socket.destroy()
    if (fault === 'is never answered') return
    let body: Buffer = Buffer.concat(await Array.fromAsync(incoming))
    if (fault === 'is cut while it is sent') {
      await half(behind, incoming, body)
      return void incoming.socket.destroy()
    }
    if (fault === 'answers 500' || fault === 'answers 503')
      return void response.writeHead(Number(fault.slice(-3))).end()
    if (fault === 'is answered late') await wait(LATE_MS)
    if (fault === 'is changed on its way' && method === 'PUT') body = changed(body)
    const answer = await ask(behind, incoming, body)
    if (fault === 'is done, and its answer is lost') return void incoming.socket.destroy()
    const sent =
      fault === 'is changed on its way' && method === 'GET' ? changed(answer.body) : answer.body
    response.writeHead(answer.status, answer.headers)
    if (fault !== 'is answered in part') return void response.end(sent)
    response.write(sent.subarray(0, Math.floor(sent.length / 2)))
    await wait(20)
    response.destroy()
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const faulty: FaultyStore = {
    ...store,
    url: (bucket, secret) => store.url(bucket, secret).replace(`:${behind.port}/`, `:${port}/`),
    spoil: () => null,
    requests: [],
    close: async () => {
      server.close()
      server.closeAllConnections()
      await store.close()
    },
  }
  return faulty
}

const changed = (body: Buffer): Buffer => {
  const other = Buffer.from(body)
  if (other.length > 0) other[other.length >> 1] = (other[other.length >> 1] ?? 0) ^ 1
  return other
}

type Answer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

const options = (behind: URL, { method, url, headers }: IncomingMessage) => ({
  ...{
    host: behind.hostname,
    port: behind.port,
    method,
    path: url,
    headers,
    agent: false as const,
  },
})

const ask = async (behind: URL, incoming: IncomingMessage, body: Buffer): Promise<Answer> => {
  const sent = request(options(behind, incoming))
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = Buffer.concat(await Array.fromAsync(answer))
  const { 'transfer-encoding': _, ...headers } = answer.headers
  return { status: answer.statusCode ?? 0, headers, body: bytes }
}

/** The store gets a part of the request. */
const half = async (behind: URL, incoming: IncomingMessage, body: Buffer): Promise<void> => {
  const sent = request(options(behind, incoming)).on('error', () => {})
  sent.write(body.subarray(0, body.length >> 1))
  await wait(20)
  sent.destroy()
}

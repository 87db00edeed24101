/** A customer's server on loopback that takes events. Each test says how it answers. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'

export type Arrived = { url: string; headers: IncomingHttpHeaders; body: string }

export type Receiver = {
  url: string
  /** In the order of their arrival. */
  seen: Arrived[]
  /** Until it is said anew: 200. */
  answers(answer: (response: ServerResponse, arrived: Arrived) => void): void
  /** Waits for so many. */
  arrived(count: number): Promise<Arrived[]>
  close(): Promise<void>
}

export const aReceiver = async (): Promise<Receiver> => {
  const seen: Arrived[] = []
  let answer: (response: ServerResponse, arrived: Arrived) => void = (response) =>
    void response.end('ok')
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '')
    const arrived = { url: request.url ?? '', headers: request.headers, body }
    seen.push(arrived)
    answer(response, arrived)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    seen,
    answers: (given) => {
      answer = given
    },
    arrived: async (count) => {
      await expect.poll(() => seen.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count)
      return seen
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

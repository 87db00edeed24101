/** Building blocks of attacks over HTTP: calls from other networks, over any number of connections. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { WorstWorld } from './attack.ts'

export type Call = {
  method?: string
  path: string
  token?: string
  body?: string | Buffer
  headers?: Record<string, string>
  /** A loopback address: each counts as a network. */
  from?: string
}

/** @returns the status, or 0 when the connection broke */
const callBy =
  (agent: Agent, { httpUrl }: WorstWorld) =>
  ({ method = 'GET', path, token, body, headers, from = '127.3.0.1' }: Call): Promise<number> =>
    new Promise((done) => {
      const asked = request(httpUrl + path, {
        ...{ agent, method, localAddress: from },
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': String(body.length),
          }),
          ...headers,
        },
      })
      asked.on('error', () => done(0)).on('close', () => done(0))
      asked.on('response', (answer: IncomingMessage) => {
        answer.resume().on('end', () => done(answer.statusCode ?? 0))
      })
      asked.end(body)
    })

/** Repeats the call on each connection until the signal. */
export const flood = async (
  world: WorstWorld,
  signal: AbortSignal,
  connections: number,
  callOf: (connection: number) => Call,
): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const call = callBy(agent, world)
  const stop = () => agent.destroy()
  signal.addEventListener('abort', stop)
  const one = async (_: unknown, n: number) => {
    while (!signal.aborted) if ((await call(callOf(n))) === 0) await pause(20)
  }
  await Promise.all(Array.from({ length: connections }, one))
}

/** Connections that send `first` and then `trickle` every second, and never read; a closed one is opened again. */
export const hold = async (
  world: WorstWorld,
  signal: AbortSignal,
  connections: number,
  { first, trickle = '', from }: { first: string; trickle?: string; from(n: number): string },
): Promise<void> => {
  const port = Number(new URL(world.httpUrl).port)
  const sockets = new Set<Socket>()
  const open = (n: number) => {
    if (signal.aborted) return
    const socket = connect({ port, host: '127.0.0.1', localAddress: from(n) })
    sockets.add(socket)
    socket.on('error', () => {}).pause()
    socket.on('connect', () => socket.write(first))
    socket.on('close', () => {
      sockets.delete(socket)
      setTimeout(() => open(n), 200).unref()
    })
  }
  for (let n = 0; n < connections; n++) open(n)
  while (!signal.aborted) {
    await pause(1_000)
    if (trickle !== '') for (const socket of sockets) socket.write(trickle)
  }
  for (const socket of sockets) socket.destroy()
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

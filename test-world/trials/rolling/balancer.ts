/** Leads connections to one of several ports in turn, and to the next one where nobody listens. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Balancer = { port: number; close(): void }

export const aBalancer = async (ports: readonly number[]): Promise<Balancer> => {
  const open = new Set<Socket>()
  let turn = 0
  const lead = (client: Socket, first: number, tried = 0): void => {
    const port = ports[(first + tried) % ports.length]
    if (tried === ports.length || port === undefined) return void client.destroy()
    const behind = connect(port, '127.0.0.1')
    const goOn = () => lead(client, first, tried + 1)
    behind.once('error', goOn)
    behind.once('connect', () => {
      behind.off('error', goOn).on('error', () => {})
      for (const [one, other] of [
        [client, behind],
        [behind, client],
      ] as const) {
        one.on('close', () => other.destroy())
        one.pipe(other)
      }
    })
  }
  const server = createServer((client) => {
    open.add(client.on('error', () => {}).on('close', () => open.delete(client)))
    lead(client, turn++)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

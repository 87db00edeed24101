/**
 * Marionette, the protocol by which a program of Mozilla is driven: `length:json` over TCP, one answer to each command. Scripts run
 * beside the program's own windows. Here they only say where something stands; what a person does goes through the screen.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Marionette = {
  /** Runs the body of a function; `args` are its `arguments`. @throws what the script throws */
  script<Value>(body: string, ...args: unknown[]): Promise<Value>
  /** Ends the program. */
  quit(): Promise<void>
}

type Reply = [kind: 1, id: number, error: { error: string; message: string } | null, value: unknown]
type Waiting = { resolve: (reply: Reply) => void; reject: (error: Error) => void }

/** @throws when nothing listens there */
export const connectMarionette = async (port: number): Promise<Marionette> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const waiting = new Map<number, Waiting>()
  readPackets(socket, (packet) => {
    // The first packet is a greeting.
    if (!Array.isArray(packet)) return
    waiting.get(packet[1])?.resolve(packet as Reply)
    waiting.delete(packet[1])
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Thunderbird has ended'))
  })
  let id = 0
  const command = async (name: string, parameters: object = {}): Promise<unknown> => {
    id += 1
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    waiting.set(id, { resolve, reject })
    const text = JSON.stringify([0, id, name, parameters])
    socket.write(`${Buffer.byteLength(text)}:${text}`)
    const [, , error, value] = await promise
    if (error !== null) throw new Error(`${name}: ${error.error}: ${error.message}`)
    return value
  }
  await command('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } })
  await command('Marionette:SetContext', { value: 'chrome' })
  return {
    script: async <Value>(body: string, ...args: unknown[]): Promise<Value> => {
      const answer = await command('WebDriver:ExecuteScript', { script: body, args })
      return (answer as { value: Value }).value
    },
    quit: async () => {
      await command('Marionette:Quit', { flags: ['eForceQuit'] })
      socket.destroy()
    },
  }
}

const readPackets = (socket: Socket, take: (packet: unknown) => void): void => {
  let bytes = Buffer.alloc(0)
  socket.on('data', (more: Buffer) => {
    bytes = Buffer.concat([bytes, more])
    for (;;) {
      const colon = bytes.indexOf(':')
      const end = colon + 1 + Number(bytes.toString('latin1', 0, colon))
      if (colon === -1 || bytes.length < end) return
      take(JSON.parse(bytes.toString('utf8', colon + 1, end)))
      bytes = bytes.subarray(end)
    }
  })
}

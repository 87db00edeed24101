import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { anSmtpClient, sendMail } from '#test-world/smtp/smtp-client.ts'
import { processBytes } from '../memory.ts'
import { type Bench, median } from '../row.ts'
import { boxes, withBusyDomain } from '../smtp/busy-domain.ts'

const CONNECTIONS = 1_000
/** The limit per network; each loopback address counts as a network. */
const PER_NETWORK = 50
const MAILS = 20
const raw = 'From: Grace <grace@example.org>\r\nSubject: Still there?\r\n\r\nYes.\r\n'

/** A thousand clients that are silent after EHLO, and mail that arrives at the same time. */
export const idleConnections: Bench = {
  name: 'idle connections',
  run: () =>
    withBusyDomain(1, async ({ smtpPort: port, pid }) => {
      const idle: Socket[] = []
      try {
        // Loads what the first mails and connections need, so that it does not count.
        for (let n = 0; n < MAILS; n++) await deliver(port)
        idle.push(...(await openIdle(port, PER_NETWORK, '127.9.9.9')))
        const before = await settledBytes(pid)
        for (let n = 0; n < CONNECTIONS / PER_NETWORK; n++)
          idle.push(...(await openIdle(port, PER_NETWORK, `127.0.${n + 1}.1`)))
        const after = await settledBytes(pid)
        const takenMs: number[] = []
        for (let n = 0; n < MAILS; n++) takenMs.push(await deliver(port))
        await refusesOneMore(port)
        const closed = idle.filter(({ destroyed, readableEnded }) => destroyed || readableEnded)
        if (closed.length > 0) throw new Error(`${closed.length} idle connections were closed`)
        return [
          {
            ...{ what: 'memory for 1,000 idle SMTP connections', budget: 50 },
            ...{ value: (after - before) / 1e6, unit: 'MB' },
          },
          {
            ...{ what: 'a mail taken beside them, whole dialogue', budget: 300 },
            ...{ value: median(takenMs), unit: 'ms' },
          },
        ]
      } finally {
        for (const socket of idle) socket.destroy()
      }
    }),
}

/** One connection more than a network may have. */
const refusesOneMore = async (port: number): Promise<void> => {
  const greedy = await anSmtpClient(port, '127.0.0.1', '127.0.1.1')
  const refusal = await greedy.reply()
  greedy.close()
  if (!refusal.startsWith('421')) throw new Error(`wanted 421, got ${refusal}`)
}

/** Includes the 0.1 s that smtp-server waits for clients that talk too early. */
const deliver = async (port: number): Promise<number> => {
  const startedAt = performance.now()
  const reply = await sendMail(port, { from: 'grace@example.org', to: boxes(1), raw })
  if (!reply.startsWith('250')) throw new Error(`wanted 250, got ${reply}`)
  return performance.now() - startedAt
}

const openIdle = (port: number, count: number, localAddress: string): Promise<Socket[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      await once(socket, 'connect')
      await replyTo(socket, '220')
      socket.write('EHLO idle.example.org\r\n')
      await replyTo(socket, '250')
      socket.on('data', () => {})
      return socket
    }),
  )

/** Waits for the last line of a reply. */
const replyTo = async (socket: Socket, code: string): Promise<void> => {
  let text = ''
  while (!new RegExp(`^${code} [^\\n]*\\n`, 'm').test(text)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    text += chunk.toString('latin1')
    if (/^[45]/.test(text)) throw new Error(`wanted ${code}, got ${text}`)
  }
}

/** The lowest of several readings: garbage is collected in between. */
const settledBytes = async (pid: number): Promise<number> => {
  const seen: number[] = []
  for (let n = 0; n < 10; n++) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    seen.push(processBytes(pid))
  }
  return Math.min(...seen)
}

/** A bare SMTP client for tests: sends exactly the given bytes, and reads whole replies. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export type SmtpClient = {
  /** The next reply, all its lines joined by LF. Rejects when the connection ends first. */
  reply(): Promise<string>
  /** Sends a command; returns its reply. */
  say(line: string): Promise<string>
  write(bytes: string | Uint8Array): void
  startTls(): Promise<void>
  close(): void
}

/** `from`: the local address; another loopback address counts as another network. */
export const anSmtpClient = async (
  port: number,
  host = '127.0.0.1',
  from?: string,
): Promise<SmtpClient> => {
  let socket: Socket = connect({
    port,
    host,
    ...(from === undefined ? {} : { localAddress: from }),
  })
  socket.setNoDelay(true)
  let received = ''
  let isEnded = false
  let wake: () => void = () => {}
  const listen = () => {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      isEnded = true
      wake()
    })
  }
  listen()
  await once(socket, 'connect')
  const reply = async (): Promise<string> => {
    for (;;) {
      const end = /^\d{3}(?: [^\n]*)?\r\n/m.exec(received)
      if (end) {
        const text = received.slice(0, end.index + end[0].length)
        received = received.slice(text.length)
        return text.trimEnd().replaceAll('\r\n', '\n')
      }
      if (isEnded) throw new Error(`the connection ended after ${JSON.stringify(received)}`)
      await new Promise<void>((done) => {
        wake = done
      })
    }
  }
  return {
    reply,
    say: (line) => {
      socket.write(`${line}\r\n`)
      return reply()
    },
    write: (bytes) => {
      socket.write(bytes)
    },
    startTls: async () => {
      socket.removeAllListeners('data')
      socket = connectTls({ socket, rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      listen()
    },
    close: () => {
      socket.destroy()
    },
  }
}

export type Letter = { from?: string; to: string | string[]; raw: string | Buffer; helo?: string }

/** The bytes after DATA: with dot-stuffing and the final dot. */
export const onTheWire = (raw: string | Buffer): Buffer => {
  const text = Buffer.from(raw as string).toString('latin1')
  const stuffed = text.replace(/(^|\r\n)\./g, '$1..')
  return Buffer.from(`${stuffed}${stuffed.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1')
}

/** Sends one mail over a new connection. Returns the first refusing reply, or the reply to the final dot. */
export const sendMail = async (port: number, letter: Letter): Promise<string> => {
  const client = await anSmtpClient(port)
  try {
    await client.reply()
    await client.say(`EHLO ${letter.helo ?? 'peer.example.net'}`)
    const recipients = typeof letter.to === 'string' ? [letter.to] : letter.to
    for (const line of [
      `MAIL FROM:<${letter.from ?? 'sender@example.net'}>`,
      ...recipients.map((to) => `RCPT TO:<${to}>`),
      'DATA',
    ]) {
      const reply = await client.say(line)
      if (!/^[23]/.test(reply)) return reply
    }
    client.write(onTheWire(letter.raw))
    return await client.reply()
  } finally {
    client.close()
  }
}

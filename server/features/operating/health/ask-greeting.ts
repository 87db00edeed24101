import { connect } from 'node:net'

const MAX_BYTES = 512

/** The first line of a mail server; '' when it said nothing that ends; null: no connection. */
export const askGreeting = (host: string, port: number, limitMs: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ host, port })
    let isOpen = false
    let heard = ''
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      const [line, rest] = heard.split(/\r?\n/, 2)
      resolve(isOpen ? (rest === undefined ? '' : (line ?? '')) : null)
    }
    const timer = setTimeout(end, limitMs)
    socket.once('connect', () => {
      isOpen = true
    })
    socket.once('error', end).once('close', end)
    socket.on('data', (bytes: Buffer) => {
      heard += bytes.toString('latin1', 0, MAX_BYTES)
      if (heard.includes('\n') || heard.length >= MAX_BYTES) end()
    })
  })

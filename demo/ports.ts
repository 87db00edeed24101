/** Where the demo listens: the usual ports, or the next ones that are free. */
import { createServer } from 'node:net'
import { StartError } from '#server/lib/ports/bound-ports.ts'

const ATTEMPTS = 100

export type DemoPorts = { web: number; smtp: number }

/** 0 means any; `say` is told of a port that was taken. */
export const findPorts = async (say: (line: string) => void): Promise<DemoPorts> => ({
  web: await findPort('PORT', 8080, say),
  smtp: await findPort('SMTP_PORT', 2525, say),
})

export const findPort = async (
  setting: string,
  usual: number,
  say: (line: string) => void,
): Promise<number> => {
  const given = process.env[setting]
  const wanted = given === undefined ? usual : Number(given)
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535)
    throw new StartError(`${setting} is '${given}'; allowed is a port number.`)
  if (wanted === 0) return 0
  for (let port = wanted; port < Math.min(wanted + ATTEMPTS, 65_536); port++) {
    if (!(await isFree(port))) continue
    if (port !== wanted) say(`Port ${wanted} is taken; the demo uses ${port} instead.`)
    return port
  }
  throw new StartError(`No port is free from ${wanted} on. Please choose another with ${setting}.`)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

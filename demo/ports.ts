/** The ports of the demo: the usual ones, or the next free ones. */
import { createServer } from 'node:net'
import { StartError } from '#server/lib/ports/bound-ports.ts'

const ATTEMPTS = 100

const usualPorts = {
  ...{ PORT: 8080, SMTP_PORT: 2525, SUBMISSION_PORT: 2587, SUBMISSIONS_PORT: 2465 },
  ...{ IMAP_PORT: 2143, IMAPS_PORT: 2993 },
}

/** As settings. */
export type DemoPorts = { [name in keyof typeof usualPorts]: string }

/** 0: any free port. `say` gets a line for each port that is in use. */
export const findPorts = async (say: (line: string) => void): Promise<DemoPorts> => {
  const found: [string, string][] = []
  for (const [setting, usual] of Object.entries(usualPorts))
    found.push([setting, String(await findPort(setting, usual, say))])
  return Object.fromEntries(found) as DemoPorts
}

export const findPort = async (
  setting: string,
  usual: number,
  say: (line: string) => void,
): Promise<number> => {
  const input = process.env[setting]
  const firstPort = input === undefined ? usual : Number(input)
  if (!Number.isInteger(firstPort) || firstPort < 0 || firstPort > 65_535)
    throw new StartError(`${setting} is '${input}'; allowed is a port number.`)
  if (firstPort === 0) return 0
  for (let port = firstPort; port < Math.min(firstPort + ATTEMPTS, 65_536); port++) {
    if (!(await isFree(port))) continue
    if (port !== firstPort) say(`Port ${firstPort} is taken; the demo uses ${port} instead.`)
    return port
  }
  throw new StartError(
    `No port is free from ${firstPort} on. Please choose another with ${setting}.`,
  )
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** Third-party programs from Debian packages. */
import { execFile } from 'node:child_process'

const packages = {
  'opendkim-testmsg': 'opendkim-tools',
  dkimverify: 'python3-dkim',
  swaks: 'swaks',
  msmtp: 'msmtp',
  'smtp-source': 'postfix',
  postfix: 'postfix',
} as const

/** Programs for administrators may be missing from PATH. */
export const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin` }

export type Ran = { code: number; said: string }

export const run = (command: string, args: string[], input?: Buffer): Promise<Ran> =>
  new Promise((done) => {
    const child = execFile(
      command,
      args,
      { env, timeout: 300_000, maxBuffer: 10_000_000 },
      (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
        done({ code, said: `${out}${err}`.trim() })
      },
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })

/** The missing packages and rights, as text; null when nothing is missing. */
export const whatIsMissing = async (): Promise<string | null> => {
  const missing = new Set<string>()
  for (const [tool, from] of Object.entries(packages))
    if ((await run('sh', ['-c', `command -v ${tool}`])).code !== 0) missing.add(from)
  // swaks does without it until it is asked for TLS.
  if ((await run('perl', ['-MNet::SSLeay', '-e', '1'])).code !== 0)
    missing.add('libnet-ssleay-perl')
  if (missing.size > 0) return `apt-get install ${[...missing].join(' ')}`
  return process.getuid?.() === 0 ? null : 'Postfix and opendkim-testmsg have to be run as root'
}

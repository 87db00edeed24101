/** Two processes of the product with everything, behind balancers, on one database and one disk, each of which changes its version. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aDatabase, anEmptyDatabase, type TestDatabase } from '../../database.ts'
import { freePort } from '../../free-port.ts'
import { runOperator } from '../../people/run-operator.ts'
import {
  ELSEWHERE,
  mailsAt,
  NO_BRAKES,
  type Settings,
  type Surroundings,
  theSurroundings,
} from '../../product.ts'
import { type Program, startProgram } from '../../program.ts'
import { aMailboxAt, anAccount, anActiveDomain } from '../account.ts'
import { aBalancer } from './balancer.ts'
import { type Load, startLoad } from './load.ts'

export type Member = {
  /** Ends the process, and starts it from these sources; undefined: from ours. @returns the seconds until it was ready */
  becomes(root: string | undefined): Promise<number>
  /** What a start from these sources says as it is refused. The process ends before. */
  refusedAs(root: string): Promise<string>
  end(): Promise<void>
}

export type RollingWorld = Pick<Surroundings, 'peer'> & {
  members: [Member, Member]
  /** What a command of the operator says. */
  operate(...words: string[]): Promise<string>
  load: Load
  database: TestDatabase
  /** What processes that ended had logged. */
  logged: string[]
  close(): Promise<void>
}

const DOORS = ['PORT', 'SMTP_PORT', 'IMAPS_PORT'] as const
type Doors = Record<(typeof DOORS)[number], string>

const doorsOfOne = async (): Promise<Doors> => {
  const [PORT, SMTP_PORT, IMAPS_PORT] = await Promise.all(DOORS.map(freePort))
  return { PORT: `${PORT}`, SMTP_PORT: `${SMTP_PORT}`, IMAPS_PORT: `${IMAPS_PORT}` }
}

/** `root`: the sources that both start from; undefined: ours. */
export const aRollingWorld = async (root: string | undefined): Promise<RollingWorld> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-rolling-'))
  const database = await (root === undefined ? aDatabase() : anEmptyDatabase())
  const doors = [await doorsOfOne(), await doorsOfOne()] as const
  const balancers = await Promise.all(
    DOORS.map((door) => aBalancer(doors.map((its) => Number(its[door])))),
  )
  const [web, smtp, imaps] = balancers.map(({ port }) => port)
  const url = `http://127.0.0.1:${web}`
  const { dns, peer, settings } = await theSurroundings({
    ...{ DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), BILLING: 'off', ...NO_BRAKES },
    ...{ PUBLIC_URL: url, SECRET: 'one secret of both, forty characters long' },
  })
  dns.zone('example.net')
  dns.set('example.net', 'A', ['127.0.0.1'])
  const logged: string[] = []
  const [first, second] = await Promise.all([
    aMember({ ...settings, ...doors[0] }, root, logged),
    aMember({ ...settings, ...doors[1] }, root, logged),
  ])
  const behind = { url, mailTo: mailsAt(peer), dns }
  const account = await anAccount(behind, `ada@${ELSEWHERE}`)
  const domain = await anActiveDomain(behind, account, 'customer.example')
  const mailbox = await aMailboxAt(account, domain, 'ada')
  const { password } = await account.ask('POST', `/mailboxes/${mailbox._id}/app-passwords`, {
    ...{ name: 'Phone', scopes: ['imap'] },
  })
  const given = { account, mailbox, password }
  const load = startLoad({ ...given, smtpPort: Number(smtp), imapsPort: Number(imaps) })
  return {
    ...{ peer, members: [first, second], load, database, logged },
    operate: async (...words) => {
      const { code, stdout, stderr } = await runOperator(words, {
        ...settings,
        DATA_DIR: join(folder, 'data'),
      })
      if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
      return stdout
    },
    close: async () => {
      for (const balancer of balancers) balancer.close()
      await Promise.all([first.end(), second.end()])
      await Promise.all([dns.close(), peer.close()])
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const aMember = async (
  settings: Settings,
  root: string | undefined,
  logged: string[],
): Promise<Member> => {
  let program: Program | null = null
  const begin = async (from: string | undefined) => {
    const startedAt = performance.now()
    program = startProgram(settings, [], [], from)
    await program.says(/Mailstead is ready: /)
    return (performance.now() - startedAt) / 1000
  }
  const end = async () => {
    program?.signal('SIGTERM')
    const ended = await program?.ended
    program = null
    if (ended === undefined) return
    logged.push(...ended.stderr.split('\n').filter((line) => line !== ''))
    if (ended.code !== 0) throw new Error(`a process ended with ${ended.code}: ${ended.stderr}`)
  }
  await begin(root)
  return {
    end,
    becomes: async (from) => {
      await end()
      return begin(from)
    },
    refusedAs: async (from) => {
      await end()
      const { code, stderr } = await startProgram(settings, [], [], from).ended
      if (code !== 1) throw new Error(`it ended with ${code}: ${stderr}`)
      return stderr
    },
  }
}

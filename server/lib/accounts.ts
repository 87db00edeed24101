/** Reads the user accounts of this system, and switches the process to one of them. */
import { lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from './ports/bound-ports.ts'

export type Account = { name: string; uid: number; gid: number }

const accounts = (): Account[] =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .flatMap(([name, , uid, gid]) =>
      name && uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : [],
    )

export const accountNamed = (name: string): Account | undefined =>
  accounts().find((account) => account.name === name)

/**
 * Switches this process with all its threads to the account, permanently: first the groups, last the user id, which holds the
 * right to change them.
 */
export const become = ({ name, uid, gid }: Account): void => {
  // Not in the types of Node.
  const { initgroups } = process as { initgroups?: (name: string, gid: number) => void }
  initgroups?.(name, gid)
  process.setgid?.(gid)
  process.setuid?.(uid)
  if (process.getuid?.() !== uid || process.geteuid?.() !== uid || mayBecomeRoot())
    throw new StartError(`Mailstead was started by root and could not become user ${name}.`)
}

const mayBecomeRoot = (): boolean => {
  try {
    process.setuid?.(0)
    return true
  } catch {
    return false
  }
}

const hasRight = ({ uid, gid }: Account, path: string, right: number): boolean => {
  const found = statSync(path)
  if (found.uid === uid) return (found.mode & (right << 6)) !== 0
  return (found.mode & (found.gid === gid ? right << 3 : right)) !== 0
}

const ENTER = 0o1

/** The system account with this uid. */
export const accountWith = (uid: number): Account | undefined =>
  accounts().find((account) => account.uid === uid)

/** The first folder on the path that the account may not enter; null when it may enter all of them. */
export const firstClosedFolder = (account: Account, folder: string): string | null => {
  for (let at = folder; ; at = dirname(at)) {
    if (!hasRight(account, at, ENTER)) return at
    if (dirname(at) === at) return null
  }
}

/**
 * Gives the account the folder and everything in it that belongs to root. Folders of other users are not entered, and each folder
 * is changed last: its owner could replace an entry by a link.
 */
export const giveRootsFolder = (folder: string, account: Account): void => {
  if (lstatSync(folder).uid !== 0) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) giveRootsFolder(path, account)
    else if (lstatSync(path).uid === 0) lchownSync(path, account.uid, account.gid)
  }
  lchownSync(folder, account.uid, account.gid)
}

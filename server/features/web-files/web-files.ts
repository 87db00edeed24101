/**
 * The scripts, styles and fonts of the web app, shared by processes of different releases: a page of one release gets its files from
 * a process of another (decision 138). Only the program writes them, from the build that it came with.
 */
import { createHash } from 'node:crypto'
import type { App } from '#server/app.ts'
import { openCache, remembered } from '#server/lib/cache.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { equalBytes } from '#server/lib/secrets.ts'
import { openTurns } from '#server/lib/turns/turns.ts'
import { deleteUnserved, findFile, findServed, insertFiles, noteServed } from './web-files-store.ts'

export type FileBytes = { body: Buffer; br: Buffer | null }

/** A page that was opened longer ago loads itself anew. */
const KEPT_DAYS = 30
const NOTED_DAYS = 1
/** All of one release. */
const MOST_REMEMBERED = 300
/** Connections to the database that strangers, who ask for what is not there, can occupy. */
const MOST_AT_ONCE = 2

/** The name, a hash of the content, and a type that a page is made of. */
const HASHED = /^\/assets\/[\w.-]{1,100}-[\w-]{8}\.(?:js|css|woff2|png|svg|webp)$/

type Parts = Pick<App, 'db' | 'secrets' | 'clock'>

/** Gives the files of this build to the others, and removes those that no process had for 30 days. `paths`: of all that it has. */
export const shareWebFiles = async (
  { db, secrets, clock }: Parts,
  paths: readonly string[],
  read: (path: string) => Promise<FileBytes>,
): Promise<void> => {
  const now = clock.now()
  const ours = paths.filter((path) => HASHED.test(path))
  const served = new Map((await findServed(db, ours)).map((each) => [each.path, each.servedAt]))
  const missing = ours.filter((path) => !served.has(path)).toSorted()
  const files = missing.map(async (path) => {
    const bytes = await read(path)
    return { path, ...bytes, mac: macOf(secrets, path, bytes), servedAt: now }
  })
  await insertFiles(db, await Promise.all(files))
  const notedBefore = secondsAfter(now, -NOTED_DAYS * DAY_SECONDS)
  const due = [...served].filter(([, at]) => at < notedBefore).map(([path]) => path)
  await noteServed(db, due, now)
  await deleteUnserved(db, secondsAfter(now, -KEPT_DAYS * DAY_SECONDS))
}

/** @returns what another release has at this path; null: none has, or it is no path of such a file */
export const openSharedWebFiles = ({ db, secrets }: Pick<Parts, 'db' | 'secrets'>) => {
  const known = openCache<Promise<FileBytes | null>>({ most: MOST_REMEMBERED })
  const turns = openTurns(MOST_AT_ONCE)
  const find = async (path: string): Promise<FileBytes | null> => {
    const file = await turns.take(() => findFile(db, path))
    if (file !== undefined && equalBytes(file.mac, macOf(secrets, path, file)))
      return { body: file.body, br: file.br }
    // A process of another release may bring it at any moment.
    known.delete(path)
    return null
  }
  return async (path: string): Promise<FileBytes | null> =>
    HASHED.test(path) ? remembered(known, path, () => find(path)) : null
}

const macOf = (secrets: App['secrets'], path: string, { body, br }: FileBytes): Buffer =>
  secrets.mac('web-files', path, sha256(body), br === null ? '' : sha256(br))

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64')

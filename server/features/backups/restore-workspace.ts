/**
 * Brings one workspace back from a backup, beside all others: all of it where it ended, and domains and mailboxes that ended where it lives
 * on. What is there stays as it is, and what somebody else has by now is named and left out (decision 113).
 */
import type { App } from '#server/app.ts'
import { noteAction, type Operator } from '#server/features/operators/operators.ts'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import { openBlobs } from '#server/storage/blobs/open-blobs.ts'
import { tablesOf } from '#server/storage/copied-tables.ts'
import type { Database } from '#server/storage/database.ts'
import {
  dropLeftovers,
  isNewest,
  type Scratch,
  withOlderDatabase,
  withScratchTables,
} from '#server/storage/scratch-tables.ts'
import { keepMissing } from './kept-rows-store.ts'
import type { Manifest } from './manifest.ts'
import { readPackLists } from './packs.ts'
import { restorePack } from './restore-all.ts'
import { quiet } from './restore-mailbox.ts'
import type { SealedPlace } from './sealed-place.ts'
import { rowsOf } from './table-rows-store.ts'
import { readWholeManifest } from './whole-manifest.ts'
import {
  copyMissing,
  finishWorkspace,
  isOpen,
  loadWorkspace,
  nameBlobs,
  neededHashes,
  readConflicts,
  takeOver,
} from './workspace-rows-store.ts'

export type RestoredWorkspace = {
  name: string
  /** It had ended, and is there again. */
  isOpened: boolean
  domains: number
  mailboxes: number
  messages: number
  /** Messages whose bytes the backup has not. */
  lost: number
  /** What was left out, and why. */
  conflicts: string[]
}

type World = Pick<App, 'config' | 'clock' | 'connection'> & { db: Database }

/** @throws StartError where the backup has no such workspace; BackupDamaged; then nothing came back */
export const restoreWorkspace = async (
  app: World,
  operator: Operator,
  place: SealedPlace,
  id: string,
  wanted: string,
): Promise<RestoredWorkspace> => {
  const manifest = await readWholeManifest(place, id)
  const workspace = await workspaceInBackup(place, manifest, wanted)
  return withScratchTables(app.connection, async (scratch) => {
    await load(app, scratch, place, manifest, workspace.id)
    const livesOn = await isOpen(scratch, workspace.id)
    const moved = await keepMissing(scratch, workspace.id, livesOn)
    const names = await restoreBlobs(app, place, await neededHashes(scratch))
    const lost = await nameBlobs(scratch, names)
    const { copied, conflicts } = await merge(scratch, workspace.id)
    const restored: RestoredWorkspace = {
      ...{ name: workspace.name, isOpened: !livesOn, lost },
      conflicts: [...moved, ...conflicts],
      domains: copied.get('domains') ?? 0,
      mailboxes: copied.get('mailboxes') ?? 0,
      messages: copied.get('messages') ?? 0,
    }
    await noteAction(app.db, app.clock.now(), operator, {
      ...{ verb: 'workspace restore', workspaceId: workspace.id, subject: workspace.name },
      detail: detailOf(restored, `${place.title} ${id}`),
    })
    return restored
  })
}

/** Runs each day: drops the tables and databases of restores that were killed. */
export const purgeRestores = ({ connection }: Pick<App, 'connection'>): Promise<void> =>
  dropLeftovers(connection)

const load = async (
  { connection }: World,
  scratch: Scratch,
  place: SealedPlace,
  manifest: Manifest,
  workspaceId: string,
): Promise<void> => {
  const until = manifest.migrations.at(-1) ?? ''
  if (isNewest(until)) return loadWorkspace(scratch.client, place, manifest, workspaceId)
  await withOlderDatabase(connection, until, async (old, migrate) => {
    await loadWorkspace(old, place, manifest, workspaceId)
    await migrate()
    await takeOver(old, scratch)
  })
}

const detailOf = (
  { domains, mailboxes, messages, conflicts }: RestoredWorkspace,
  from: string,
): string =>
  `${domains} domains, ${mailboxes} mailboxes, ${messages} messages from ${from}; ${conflicts.length} left out`

/** By its id, or by a name that only one has. @throws StartError */
const workspaceInBackup = async (place: SealedPlace, manifest: Manifest, wanted: string) => {
  const found: { id: string; name: string }[] = []
  for await (const { id, name } of rowsOf(place, manifest, 'workspaces'))
    if (id === wanted.toLowerCase() || name === wanted)
      found.push({ id: id ?? '', name: name ?? '' })
  const [first, ...others] = found
  if (first === undefined) throw new StartError(`The backup has no workspace ${wanted}.`)
  if (others.length > 0)
    throw new StartError(
      `Several workspaces of the backup have the name ${wanted}. Please name one by its id: ${found.map(({ id }) => id).join(', ')}.`,
    )
  return first
}

/** Through the store of this installation, where they get places of their own. @returns their names by hash */
const restoreBlobs = async (
  { config, db }: World,
  place: SealedPlace,
  needed: ReadonlySet<string>,
): Promise<Map<string, string>> => {
  const packOf = await readPackLists(place)
  const packs = new Set([...needed].flatMap((hash) => packOf.get(hash) ?? []))
  const names = new Map<string, string>()
  const { blobs, close } = await openBlobs(config, db, quiet)
  try {
    for (const pack of packs) await restorePack(place, pack, { blobs, needed, names })
  } finally {
    await close()
  }
  return names
}

/** All of it or nothing. */
const merge = async (scratch: Scratch, workspaceId: string) => {
  const { client, living } = scratch
  const tables = await tablesOf(client)
  await client.query('begin')
  await client.query("select set_config('search_path', $1, true)", [living])
  const copied = await copyMissing(scratch, tables)
  const conflicts = await readConflicts(scratch)
  await finishWorkspace(scratch, workspaceId)
  await client.query('commit')
  return { copied, conflicts }
}

/** What an operator does with backups that were made: lists, verifies and restores them. Needs settings alone, and no running Mailstead. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { App } from '#server/app.ts'
import type { Operator } from '#server/features/operators/operators.ts'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import { keepKey, keyToRead } from './backup-key.ts'
import { backupsAt, readManifest } from './manifest.ts'
import { openPlace } from './places/open-place.ts'
import { restoreAll } from './restore-all.ts'
import { restoreMailbox } from './restore-mailbox.ts'
import { restoreWorkspace } from './restore-workspace.ts'
import { BackupDamaged, openSealed, type SealedPlace } from './sealed-place.ts'
import { verifyBackup } from './verify.ts'

type World = Pick<App, 'config' | 'clock'>

const openBackups = (config: App['config'], where: string): Promise<SealedPlace> =>
  openSealed(openPlace(where), keyToRead(config), false)

export type ListedBackup = {
  id: string
  at: Date
  rows: number
  blobs: number
  missing: number
  postgres: string
}

/** Newest first. @throws StartError, BackupDamaged */
export const listBackups = async ({ config }: World, where: string): Promise<ListedBackup[]> => {
  const place = await openBackups(config, where)
  const listed: ListedBackup[] = []
  for (const id of (await backupsAt(place)).finished.toReversed()) {
    const { at, tables, blobs, missing, postgres } = await readManifest(place, id)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    listed.push({
      ...{ id, at: new Date(at), rows, blobs: blobs.count, missing: missing.length, postgres },
    })
  }
  return listed
}

/** `id` undefined: the newest. @throws StartError */
const chosen = async (place: SealedPlace, id: string | undefined): Promise<string> => {
  const { finished } = await backupsAt(place)
  const found = id === undefined ? finished.at(-1) : finished.find((each) => each === id)
  if (found === undefined)
    throw new StartError(
      id === undefined
        ? `There is no finished backup at ${place.title}.`
        : `There is no backup ${id} at ${place.title}. 'backup list' names them.`,
    )
  return found
}

/** @throws StartError that names each fault */
export const verifyAt = async (
  { config }: World,
  where: string,
  id: string | undefined,
): Promise<string> => {
  const place = await openBackups(config, where)
  const which = await chosen(place, id)
  const { manifest, faults } = await namingDamage(() => verifyBackup(place, which))
  if (faults.length > 0) throw new StartError(`Backup ${which} is damaged:\n${faults.join('\n')}`)
  return `Backup ${which} is whole: ${manifest.tables.length} tables, ${manifest.blobs.count} messages and files were read.`
}

/** @throws StartError */
export const restoreFrom = async (
  { config, clock }: World,
  where: string,
  id?: string,
  isPartial = false,
): Promise<string> => {
  const place = await openBackups(config, where)
  const which = await chosen(place, id)
  const key = keyToRead(config)
  const how = { now: clock.now(), isPartial }
  const restored = await namingDamage(() => restoreAll(config, place, which, how), REST)
  keepKey(config.dataDir, key)
  const lines = [
    `Backup ${which} is restored: ${restored.rows} rows, ${restored.blobs} messages and files.`,
    ...(restored.damaged === 0
      ? []
      : [`${restored.damaged} messages and files are damaged in the backup, and left out.`]),
    ...(restored.missing === 0 ? [] : [`${restored.missing} messages had been lost before it.`]),
    ...(restored.held === 0
      ? []
      : [
          `${restored.held} deliveries that waited are held: they may have been made since. See 'queue list', then 'queue release' or 'queue drop'.`,
        ]),
    'Mailstead can be started.',
  ]
  return lines.join('\n')
}

/** `address`: of a mailbox that is here. @throws StartError, NOT_EXISTS, STORAGE_FULL */
export const restoreMailboxFrom = async (
  app: World & Pick<App, 'db'>,
  operator: Operator,
  where: string,
  { address, id }: { address: string; id: string | undefined },
): Promise<string> => {
  const place = await openBackups(app.config, where)
  const which = await chosen(place, id)
  const { folder, restored, present, lost } = await namingDamage(() =>
    restoreMailbox(app, operator, place, which, address),
  )
  return [
    restored === 0
      ? `Nothing of backup ${which} is missing in ${address}.`
      : `${restored} messages of backup ${which} are in the folder '${folder}' of ${address} now.`,
    ...(present === 0 ? [] : [`${present} were there already.`]),
    ...(lost === 0 ? [] : [`${lost} are not in the backup: they had been lost before it.`]),
  ].join('\n')
}

/** `wanted`: the name or the id of the workspace in the backup. @throws StartError */
export const restoreWorkspaceFrom = async (
  app: World & Pick<App, 'db' | 'connection'>,
  operator: Operator,
  where: string,
  { wanted, id }: { wanted: string; id: string | undefined },
): Promise<string> => {
  const place = await openBackups(app.config, where)
  const which = await chosen(place, id)
  const done = await namingDamage(() => restoreWorkspace(app, operator, place, which, wanted))
  const { domains, mailboxes, messages } = done
  return [
    domains + mailboxes + messages === 0 && !done.isOpened
      ? `Nothing of backup ${which} is missing in ${done.name}.`
      : `${done.name} has back from backup ${which}: ${domains} domains, ${mailboxes} mailboxes and ${messages} messages.`,
    ...(done.isOpened ? ['Its people sign in as before.'] : []),
    ...(done.lost === 0
      ? []
      : [`${done.lost} messages are not in the backup: they had been lost before it.`]),
    ...(done.conflicts.length === 0
      ? []
      : ['Left out:', ...done.conflicts.map((said) => `  ${said}`)]),
  ].join('\n')
}

const REST =
  " 'backup list' names older backups, 'backup verify' tries one, and a restore that ends with the word partial leaves out what is damaged of mail and files."

const namingDamage = async <T>(read: () => Promise<T>, advice = ''): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof BackupDamaged) throw new StartError(`${error.message}.${advice}`)
    throw error
  }
}

/** Whether a backup in this folder would be lost with the disk of DATA_DIR. */
export const isOnDiskOf = (dataDir: string, where: string): boolean => {
  if (where.startsWith('s3://')) return false
  try {
    return statSync(dataDir).dev === statSync(where).dev
  } catch {
    return dirname(where) === dirname(dataDir)
  }
}

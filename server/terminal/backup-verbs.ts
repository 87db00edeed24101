import { backUpByHand } from '#server/features/backups/make-backup.ts'
import {
  listBackups,
  restoreFrom,
  restoreMailboxFrom,
  restoreWorkspaceFrom,
  verifyAt,
} from '#server/features/backups/read-backups.ts'
import { type VerifiedBlobs, verifyBlobs } from '#server/features/backups/verify-blobs.ts'
import { moveBlobs } from '#server/features/operating/move-blobs.ts'
import { TERMINAL } from '#server/features/operators/operators.ts'
import { sizeText } from '#server/lib/size-text.ts'
import type { Report } from './answers.ts'
import { type EarlyVerb, type Verb, WrongWords } from './verb.ts'

const WHERE = '[DIR|s3://...]'

/** @throws WrongWords where neither the command nor BACKUP_URL says it */
const placeOf = (where: string | undefined, backupUrl: string | null): string => {
  if (where !== undefined && !/^(?:\/|\.{1,2}\/|s3:\/\/)/.test(where))
    throw new WrongWords(
      `'${where}' is no place of backups. Please name a folder, such as /mnt/backup or ./backup, or s3://...`,
    )
  const place = where ?? backupUrl
  if (place === null)
    throw new WrongWords(
      'Please say where the backups are, or set BACKUP_URL: a folder or s3://...',
    )
  return place
}

export const backupVerbs: Record<string, Verb> = {
  backup: {
    takes: WHERE,
    does: 'backs up everything, to a folder or a bucket, or to BACKUP_URL, also while Mailstead runs',
    words: [0, 1],
    run: async (app, where) => {
      const done = await backUpByHand(app, placeOf(where, app.config.backup.place))
      const lost =
        done.missing === 0
          ? []
          : [`${done.missing} messages were lost before: their bytes are not in it.`]
      return [
        `Backup ${done.id} is at ${done.place.title}: ${done.rows} rows, ${done.blobs} messages and files; ${sizeText(done.writtenBytes)} were new.`,
        ...lost,
        ...(done.isSameDisk
          ? ['It is on the same disk as DATA_DIR: when that is lost, so is it.']
          : []),
        ...(done.keyText === null ? [] : [done.keyText]),
      ].join('\n')
    },
  },
  'blob verify': {
    takes: '',
    does: 'reads every stored message and file, and says whose are lost or damaged; exit code 1 when one is',
    words: [0, 0],
    run: async (app) => struckText(await verifyBlobs(app)),
  },
  'blob move': {
    takes: '',
    does: 'moves all messages and files from BLOB_FROM to BLOB_URL or DATA_DIR, also while Mailstead runs; can be run again',
    words: [0, 0],
    run: async (app) => {
      const { from, to, moved, bytes, before } = await moveBlobs(app.config, app.db)
      return `${moved} files with ${sizeText(bytes)} were moved from ${from} to ${to}, ${before} were there before. Please take BLOB_FROM out of the settings; what is in ${from} may be deleted then.`
    },
  },
  'workspace restore': {
    takes: `NAME|ID ${WHERE} [BACKUP]`,
    does: 'brings back a workspace that ended, or domains and mailboxes of one that lives on, from the newest backup or this one',
    words: [1, 3],
    run: (app, wanted = '', ...[where, id]) =>
      restoreWorkspaceFrom(app, TERMINAL, placeOf(where, app.config.backup.place), { wanted, id }),
  },
  'mailbox restore': {
    takes: `ADDRESS ${WHERE} [BACKUP]`,
    does: "brings back what a mailbox had in the newest backup, or this one, into a folder 'Restored DAY' of it",
    words: [1, 3],
    run: (app, address = '', ...[where, id]) =>
      restoreMailboxFrom(app, TERMINAL, placeOf(where, app.config.backup.place), { address, id }),
  },
}

const struckText = ({ read, struck }: VerifiedBlobs): Report => {
  const lost = new Set(struck.map(({ blob }) => blob)).size
  return {
    json: { read, struck },
    isFault: lost > 0,
    lines: [
      ...struck.map(({ how, what, mailbox, from, at }) =>
        [
          `${how}: ${what}`,
          ...(mailbox === null ? [] : [`of ${mailbox}`]),
          ...(from === null ? [] : [`from ${from || 'a mail server'}`]),
          ...(at === null ? [] : [at.toISOString()]),
        ].join(' '),
      ),
      lost === 0
        ? `All ${read} messages and files are as they were stored.`
        : `${lost} of ${read} messages and files are lost or damaged.`,
    ],
  }
}

/** Also before there is a Mailstead on this machine. */
export const earlyBackupVerbs: Record<string, EarlyVerb> = {
  'backup list': {
    takes: WHERE,
    does: 'the backups there',
    words: [0, 1],
    run: async ({ config, clock }, where) => ({
      head: ['backup', 'made', 'rows', 'messages and files', 'lost before', 'by PostgreSQL'],
      rows: (await listBackups({ config, clock }, placeOf(where, config.backup.place))).map(
        (each) => [...[each.id, each.at, each.rows, each.blobs, each.missing, each.postgres]],
      ),
      none: 'There is no finished backup.',
    }),
  },
  'backup verify': {
    takes: `${WHERE} [BACKUP]`,
    does: 'reads the newest backup, or this one, and says what is damaged',
    words: [0, 2],
    run: ({ config, clock }, where, id) =>
      verifyAt({ config, clock }, placeOf(where, config.backup.place), id),
  },
  restore: {
    takes: 'DIR|s3://... [BACKUP] [partial]',
    does: 'restores everything from the newest backup, or this one, into an empty DATA_DIR and database',
    words: [1, 3],
    run: ({ config, clock }, where, ...words) => {
      const isPartial = words.at(-1) === 'partial'
      const [id] = isPartial ? words.slice(0, -1) : words
      return restoreFrom({ config, clock }, placeOf(where, null), id, isPartial)
    },
  },
}

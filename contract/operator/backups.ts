/** Backups, as operators see and ask for them in the browser. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

const madeBackup = z.object({
  _id: fields.id,
  /** Without a password. */
  place: z.string(),
  startedAt: z.iso.datetime(),
  /** null: it is under way, or its process ended in the middle. */
  endedAt: z.iso.datetime().nullable(),
  /** Its name; null: it failed, or is under way. */
  snapshot: z.string().nullable(),
  rows: z.number().int(),
  blobs: z.number().int(),
  missing: z.number().int(),
  writtenBytes: z.number().int(),
  error: z.string(),
})
export type MadeBackup = z.infer<typeof madeBackup>

export const backupsPage = z.object({
  /** BACKUP_URL without a password; null: not set. */
  place: z.string().nullable(),
  /** The next daily one; null: none is set up. */
  nextAt: z.iso.datetime().nullable(),
  /** Somebody asked for one, and no worker has begun it yet. */
  isAsked: z.boolean(),
  lastWhole: madeBackup.nullable(),
  /** The last tries, newest first, also to other places. */
  made: z.array(madeBackup),
  verification: z
    .object({
      askedAt: z.iso.datetime(),
      /** null: it waits or is under way. */
      endedAt: z.iso.datetime().nullable(),
      isWhole: z.boolean(),
      says: z.string(),
    })
    .nullable(),
})
export type BackupsPage = z.infer<typeof backupsPage>

export const getBackups = route({
  method: 'GET',
  path: '/operator/backups',
  summary: 'Where backups go, how old the last one is, and what was tried',
  access: 'operator',
  reads: ['operating'],
  output: backupsPage,
  errors: [],
})

export const listKeptBackups = route({
  method: 'GET',
  path: '/operator/backups/kept',
  summary: 'The backups that are at BACKUP_URL, newest first; asks the place itself',
  access: 'operator',
  reads: ['operating'],
  output: z.object({
    items: z.array(
      z.object({
        ...{ id: z.string(), at: z.iso.datetime(), rows: z.number().int() },
        ...{ blobs: z.number().int(), missing: z.number().int() },
      }),
    ),
    /** Why they could not be listed; '' else. */
    trouble: z.string(),
  }),
  errors: [],
})

export const askForBackup = route({
  method: 'POST',
  path: '/operator/backups/ask',
  summary: 'A worker backs up, or verifies the newest backup, within a minute',
  access: 'operator',
  changes: ['operating'],
  body: z.strictObject({ what: z.enum(['backup', 'verify']) }),
  output: backupsPage,
  errors: ['STATUS_NOT_ALLOWED'],
})

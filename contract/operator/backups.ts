/** Backups, as operators see and ask for them in the browser. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const madeBackup = z.object({
  _id: fields.id,
  place: z.string().describe('Without a password.'),
  startedAt: z.iso.datetime(),
  endedAt: z.iso
    .datetime()
    .nullable()
    .describe('null: it is under way, or its process ended in the middle.'),
  snapshot: z.string().nullable().describe('Its name; null: it failed, or is under way.'),
  rows: z.number().int(),
  blobs: z.number().int(),
  missing: z.number().int(),
  writtenBytes: z.number().int(),
  error: z.string(),
})
export type MadeBackup = z.infer<typeof madeBackup>

export const backupsPage = z.object({
  place: z.string().nullable().describe('BACKUP_URL without a password; null: not set.'),
  nextAt: z.iso.datetime().nullable().describe('The next daily one; null: none is set up.'),
  isAsked: z.boolean().describe('Somebody asked for one, and no worker has begun it yet.'),
  lastWhole: madeBackup.nullable(),
  made: z.array(madeBackup).describe('The last tries, newest first, also to other places.'),
  verification: z
    .object({
      askedAt: z.iso.datetime(),
      endedAt: z.iso.datetime().nullable().describe('null: it waits or is under way.'),
      isWhole: z.boolean(),
      says: z.string(),
    })
    .nullable(),
})
export type BackupsPage = z.infer<typeof backupsPage>

export const getBackups = route({
  name: 'getBackups',
  method: 'GET',
  path: '/operator/backups',
  summary: 'Where backups go, how old the last one is, and what was tried',
  access: 'operator',
  reads: ['operating'],
  output: backupsPage,
  errors: [],
})

export const listKeptBackups = route({
  name: 'listKeptBackups',
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
    trouble: z.string().describe("Why they could not be listed; '' else."),
  }),
  errors: [],
})

export const askForBackup = route({
  name: 'askForBackup',
  method: 'POST',
  path: '/operator/backups/ask',
  summary: 'A worker backs up, or verifies the newest backup, within a minute',
  access: 'operator',
  changes: ['operating'],
  body: z.strictObject({ what: z.enum(['backup', 'verify']) }),
  output: backupsPage,
  errors: ['STATUS_NOT_ALLOWED'],
})

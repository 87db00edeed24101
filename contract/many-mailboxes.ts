/** What is done to many mailboxes by one call: verbs for a selection, and mailboxes from a table. Each row is judged by itself. */

import { z } from 'zod'
import * as fields from './fields.ts'
import { manyForm, rowResult } from './many-domains.ts'
import { route } from './route.ts'

export const changeManyMailboxes = route({
  method: 'POST',
  path: '/mailboxes/batch/status',
  summary: 'Suspend or resume many mailboxes',
  access: 'manage-mailboxes',
  changes: ['mailboxes', 'settings'],
  body: manyForm.extend({ status: z.enum(['active', 'suspended']) }),
  output: z.array(rowResult),
  errors: [],
})

export const deleteManyMailboxes = route({
  method: 'POST',
  path: '/mailboxes/batch/delete',
  summary: 'Delete many mailboxes with their mail',
  access: 'manage-mailboxes',
  changes: ['mailboxes'],
  body: manyForm,
  output: z.array(rowResult),
  errors: [],
})

export const MAX_IMPORT_ROWS = 10_000

/** A row as the request holds it; `row` is its place in the file, for the sentences that name it. */
export type ImportRow = {
  row: number
  firstName: string
  lastName: string
  /** Empty: the address is made from the name. */
  email: string
  domain: string
}

/** The domain in a cell, which may hold a web address, an @ before it or a dot behind it. */
export const domainInCell = (cell: string): string =>
  cell
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/*/i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d*$/, '')
    .replace(/^@/, '')
    .replace(/\.+$/, '')

/** Controls would end the cell or the row. */
const asCell = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

/** The rows as one text: a request holds few values, so that its cost is known before it is parsed (decision 059). */
export const importTable = (rows: readonly ImportRow[]): string =>
  rows
    .map(({ row, firstName, lastName, email, domain }) =>
      [row, ...[firstName, lastName, email, domain].map(asCell)].join('\t'),
    )
    .join('\n')

export const importForm = z.strictObject({
  /** One row a line, five cells divided by tabs: row of the file, first name, last name, address or nothing, domain. */
  table: fields
    .multiline(5_000_000, 'The table is too large')
    .refine((text) => text.trim() !== '', 'Please choose a file or paste a table'),
  /** For rows that name no domain. */
  domain: fields.line(255).optional(),
  /** all: one fault and none is created; good: rows with a fault are left out. */
  mode: z.enum(['all', 'good']),
  /** german: umlauts become ae, oe and ue in an address made from a name. */
  spelling: z.enum(['plain', 'german']).default('plain'),
  /** true: judges the rows and creates nothing. */
  dryRun: z.boolean(),
})

/** Kinds of faults, for what can be done about all rows of a kind at once. */
export const importFault = z.enum([
  'name-missing',
  'name-short',
  'name-long',
  /** It begins like a formula of a spreadsheet. */
  'name-formula',
  /** No letter of it can stand in an address. */
  'name-letters',
  'cell-long',
  'address-wrong',
  'address-reserved',
  'address-taken',
  /** The address belongs to another domain than the row names. */
  'address-elsewhere',
  'domain-missing',
  'domain-unknown',
  'domain-inactive',
  /** The same person or row as before. */
  'repeated',
  /** Another person of the file has the address. */
  'address-repeated',
  /** A person of this name has a mailbox in this domain. */
  'name-taken',
  'over-limit',
])
export type ImportFault = z.infer<typeof importFault>

export const importedRow = z.object({
  row: z.int(),
  firstName: z.string(),
  lastName: z.string(),
  /** As it is or would be stored; with a fault what was given. */
  email: z.string(),
  /** ready: nothing speaks against it, and it was not created. */
  result: z.enum(['created', 'ready', 'refused']),
  /** Why it is refused, as the end of a sentence; empty otherwise. */
  reason: z.string(),
  /** null unless it is refused. */
  fault: importFault.nullable(),
  /** A free address made from the name, for another person of a name that is taken; null with any other fault and without. */
  otherEmail: z.string().nullable(),
  /** The mailbox; null unless it was created. */
  id: fields.id.nullable(),
})
export type ImportedRow = z.infer<typeof importedRow>

export const importMailboxes = route({
  method: 'POST',
  path: '/mailboxes/import',
  summary: 'Judge up to 10,000 rows and create all of them or the good ones',
  access: 'manage-mailboxes',
  changes: ['mailboxes'],
  body: importForm,
  output: z.object({ created: z.int(), rows: z.array(importedRow) }),
  errors: [],
  bodyLimitBytes: 6_000_000,
})

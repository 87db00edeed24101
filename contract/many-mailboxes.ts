/** What is done to many mailboxes by one call: verbs for a selection, and mailboxes from a table. Each row is judged by itself. */

import { z } from 'zod'
import * as fields from './fields.ts'
import { manyForm, rowResult } from './many-domains.ts'
import { route } from './route.ts'

export const changeManyMailboxes = route({
  name: 'changeManyMailboxes',
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
  name: 'deleteManyMailboxes',
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

export const mailboxImportForm = z.strictObject({
  table: fields
    .multiline(5_000_000, 'The table is too large')
    .refine((text) => text.trim() !== '', 'Please choose a file or paste a table')
    .describe(
      'One row a line, five cells divided by tabs: row of the file, first name, last name, address or nothing, domain.',
    ),
  domain: fields.line(255).optional().describe('For rows that name no domain.'),
  mode: z
    .enum(['all', 'good'])
    .describe('all: one fault and none is created; good: rows with a fault are left out.'),
  spelling: z
    .enum(['plain', 'german'])
    .default('plain')
    .describe('german: umlauts become ae, oe and ue in an address made from a name.'),
  dryRun: z.boolean().describe('true: judges the rows and creates nothing.'),
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
  email: z.string().describe('As it is or would be stored; with a fault what was given.'),
  result: z
    .enum(['created', 'ready', 'refused'])
    .describe('ready: nothing speaks against it, and it was not created.'),
  reason: z.string().describe('Why it is refused, as the end of a sentence; empty otherwise.'),
  fault: importFault.nullable().describe('null unless it is refused.'),
  otherEmail: z
    .string()
    .nullable()
    .describe(
      'A free address made from the name, for another person of a name that is taken; null with any other fault and without.',
    ),
  id: fields.id.nullable().describe('The mailbox; null unless it was created.'),
})
export type ImportedRow = z.infer<typeof importedRow>

export const importMailboxes = route({
  name: 'importMailboxes',
  method: 'POST',
  path: '/mailboxes/import',
  description:
    '`dryRun` judges the rows and creates nothing. Each row of the answer says what became of it, and why.',
  summary:
    'Create mailboxes from a table; judges up to 10,000 rows, and creates all of them or the good ones',
  access: 'manage-mailboxes',
  changes: ['mailboxes'],
  body: mailboxImportForm,
  output: z.object({ created: z.int(), rows: z.array(importedRow) }),
  errors: [],
  bodyLimitBytes: 6_000_000,
})

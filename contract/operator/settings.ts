/** Settings of the installation that operators change while it runs; a start gives their defaults. */
import { z } from 'zod'
import { price } from '../billing.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const operatedSettings = z.object({
  signUp: z.enum(['open', 'invite', 'closed']),
  storageQuotaBytes: fields.quotaBytes.describe('Of a new workspace.'),
  domainMailboxLimit: fields.mailboxLimit.describe('Of each domain without a limit of its own.'),
})
export type OperatedSettings = z.infer<typeof operatedSettings>

/** The settings of a start that give the defaults. */
export const startNames: Record<keyof OperatedSettings, string> = {
  signUp: 'SIGNUP',
  storageQuotaBytes: 'STORAGE_QUOTA',
  domainMailboxLimit: 'DOMAIN_MAILBOX_LIMIT',
}

const { shape } = operatedSettings
const chosen = z.object({
  signUp: shape.signUp.nullable(),
  storageQuotaBytes: shape.storageQuotaBytes.nullable(),
  domainMailboxLimit: shape.domainMailboxLimit.nullable(),
})

export const installationSettings = z.object({
  start: operatedSettings,
  chosen: chosen.describe("null: the start's holds."),
  price: price.nullable().describe('Set at a start alone; null: mailboxes cost nothing.'),
})
export type InstallationSettings = z.infer<typeof installationSettings>

export const getInstallationSettings = route({
  name: 'getInstallationSettings',
  method: 'GET',
  path: '/operator/settings',
  summary: 'Who may sign up and what is new gets: as the start says, and as operators chose',
  access: 'operator',
  reads: ['operating'],
  output: installationSettings,
  errors: [],
})

export const changeInstallationSettings = route({
  name: 'changeInstallationSettings',
  method: 'PATCH',
  path: '/operator/settings',
  summary: 'Choose settings for all processes at once; null goes back to what the start says',
  access: 'operator',
  changes: ['operating', 'installation'],
  body: z.strictObject(chosen.partial().shape),
  output: installationSettings,
  errors: [],
})

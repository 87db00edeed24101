/** Who has to have a second factor: the people of a workspace, or everybody of the installation (decision 126). */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { type Route, route } from '../route.ts'

export const MAX_GRACE_DAYS = 30
export const USUAL_GRACE_DAYS = 7

/** What a person reaches who needs a second factor and has none: setting one up, other workspaces, and leaving. */
const openWithoutFactor: ReadonlySet<string> = new Set([
  ...['verifyAccess', 'getSecondFactor', 'beginTotp', 'confirmTotp', 'beginPasskey', 'addPasskey'],
  ...['makeRecoveryCodes', 'beginStepUp', 'stepUp', 'listWorkspaces', 'switchWorkspace'],
  ...['getLeaving', 'leave', 'stay', 'leaveWorkspace'],
])

export const isOpenWithoutFactor = ({ name }: Pick<Route, 'name'>): boolean =>
  openWithoutFactor.has(name)

type Due = { factorDueAt?: Date | string | null | undefined }

/** A second factor is required of them, and their days without one are over (decision 126). */
export const isFactorDue = ({ factorDueAt: dueAt }: Due, now: Date): boolean =>
  dueAt !== null && dueAt !== undefined && new Date(dueAt) <= now

const GRACE = `Please enter a number from 0 to ${MAX_GRACE_DAYS}`

/** `graceDays` null: it is not required. */
export const factorRuleForm = z.strictObject({
  graceDays: z.int(GRACE).min(0, GRACE).max(MAX_GRACE_DAYS, GRACE).nullable(),
})

export const factorRule = z.object({
  graceDays: z
    .number()
    .int()
    .nullable()
    .describe('How many days a person may be without a second factor; null: it is not required.'),
  requiredAt: z.iso.datetime().nullable(),
  peopleWithout: z.number().int().describe('How many have no second factor.'),
})
export type FactorRule = z.infer<typeof factorRule>

export const personWithout = z.object({
  _id: fields.id,
  name: z.string(),
  email: z.string(),
  isHolder: z.boolean().describe('true: signs in to one mailbox; false: a member.'),
  since: z.iso.datetime().describe('When the person came.'),
  dueAt: z.iso
    .datetime()
    .nullable()
    .describe('From then on they reach nothing without a second factor; null: never.'),
})
export type PersonWithout = z.infer<typeof personWithout>

export const peopleWithout = z.object({
  items: z.array(personWithout),
  nextCursor: z.string().nullable(),
})

export const getFactorRule = route({
  name: 'getFactorRule',
  method: 'GET',
  path: '/workspace-settings/second-factor',
  summary: 'Whether the workspace requires a second factor of its members and holders',
  access: 'manage-members',
  reads: ['factors', 'workspaces'],
  output: factorRule,
  errors: [],
})

export const saveFactorRule = route({
  name: 'saveFactorRule',
  method: 'PUT',
  path: '/workspace-settings/second-factor',
  summary: 'Require a second factor of members and holders; those without one are told by a mail',
  access: 'manage-members',
  changes: ['factors', 'workspaces'],
  body: factorRuleForm,
  output: factorRule,
  errors: ['OWN_FACTOR_FIRST'],
})

export const listWithoutFactor = route({
  name: 'listWithoutFactor',
  method: 'GET',
  path: '/workspace-settings/second-factor/people',
  summary: 'Members and holders who have no second factor, by address',
  access: 'manage-members',
  reads: ['factors', 'members'],
  query: z.strictObject(fields.page),
  output: peopleWithout,
  errors: [],
})

export const getInstallationFactorRule = route({
  name: 'getInstallationFactorRule',
  method: 'GET',
  path: '/operator/second-factor',
  summary: 'Whether the installation requires a second factor of everybody',
  access: 'operator',
  reads: ['operating'],
  output: factorRule,
  errors: [],
})

export const saveInstallationFactorRule = route({
  name: 'saveInstallationFactorRule',
  method: 'PUT',
  path: '/operator/second-factor',
  summary: 'Require a second factor of everybody; those without one are told by a mail',
  access: 'operator',
  changes: ['operating'],
  body: factorRuleForm,
  output: factorRule,
  errors: ['OWN_FACTOR_FIRST'],
})

export const listAllWithoutFactor = route({
  name: 'listAllWithoutFactor',
  method: 'GET',
  path: '/operator/second-factor/people',
  summary: 'Everybody of the installation who has no second factor, by address',
  access: 'operator',
  reads: ['operating'],
  query: z.strictObject(fields.page),
  output: peopleWithout,
  errors: [],
})

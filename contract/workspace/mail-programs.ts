/** What a workspace asks of mail programs. */
import { z } from 'zod'
import { route } from '../route.ts'

export const programRules = z.object({
  needsAppPasswords: z
    .boolean('Please say yes or no')
    .describe("true: nobody's own password opens a mailbox to a mail program; app passwords do."),
})
export const programRulesForm = z.strictObject(programRules.shape)
export type ProgramRules = z.infer<typeof programRules>

export const getProgramRules = route({
  name: 'getProgramRules',
  method: 'GET',
  path: '/workspace-settings/mail-programs',
  summary: 'What the workspace asks of mail programs',
  access: 'manage-company',
  reads: ['workspaces'],
  output: programRules,
  errors: [],
})

export const saveProgramRules = route({
  name: 'saveProgramRules',
  method: 'PUT',
  path: '/workspace-settings/mail-programs',
  summary: 'Choose what mail programs need; those that use the password of a holder are signed out',
  access: 'manage-company',
  changes: ['workspaces'],
  asksForRecentSignIn: true,
  body: programRulesForm,
  output: programRules,
  errors: [],
})

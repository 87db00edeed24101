/** What is done to many mailboxes by one call; each is judged by itself, and the answer has a row for each. */
import { z } from 'zod'
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

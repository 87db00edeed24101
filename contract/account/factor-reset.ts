/** Taking the second factors of a person who lost them, by an Admin or an operator (decision 116). */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

const params = z.object({ id: z.string() })

export const resetMemberFactor = route({
  name: 'resetMemberFactor',
  method: 'DELETE',
  path: '/members/{id}/second-factor',
  summary:
    'Reset the second factors of a member who is in no other workspace and operates nothing; the member is signed out and told',
  access: 'manage-members',
  changes: ['members'],
  params,
  output: fields.confirmation,
  errors: ['NOT_EXISTS', 'NO_SECOND_FACTOR', 'FACTOR_OF_OTHERS'],
})

export const resetHolderFactor = route({
  name: 'resetHolderFactor',
  method: 'DELETE',
  path: '/mailboxes/{id}/access/second-factor',
  summary: 'Reset the second factors of the holder of a mailbox, who is signed out and told',
  access: 'give-mailboxes',
  changes: ['access'],
  params,
  output: fields.confirmation,
  errors: ['NOT_EXISTS', 'NO_SECOND_FACTOR'],
})

export const resetFactorOf = route({
  name: 'resetFactorOf',
  method: 'POST',
  path: '/operator/accounts/{id}/reset-factor',
  summary: 'Reset the second factors of a person who lost them; the person is signed out and told',
  access: 'operator',
  changes: ['operating'],
  params,
  output: fields.confirmation,
  errors: ['NOT_EXISTS', 'NO_SECOND_FACTOR'],
})

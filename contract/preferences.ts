/** What a person prefers: how dates are written for them, and which mails they want. */
import { z } from 'zod'
import { dateOrders, hourStyles } from './date-formats.ts'
import * as fields from './fields.ts'
import { route } from './route.ts'

const orEmpty = <T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(['', ...values], 'Please choose one of the list')

/** '' stands for the company's, and where it has none for that of the browser. */
export const preferencesForm = z.strictObject({
  timeZone: z.literal('').or(fields.timeZone),
  timeFormat: orEmpty(hourStyles),
  dateFormat: orEmpty(dateOrders),
  /** Mails about DNS records that fail, or are right again, to an Admin. */
  wantsDnsMails: z.boolean('Please say yes or no'),
})

export const preferences = preferencesForm.extend({
  /** Of the company of the workspace; empty until its profile is saved. */
  company: z.object({ timeZone: z.string(), timeFormat: z.string() }),
})
export type Preferences = z.infer<typeof preferences>

export const getPreferences = route({
  method: 'GET',
  path: '/preferences',
  summary: 'How dates are written for the caller, and which mails they want',
  access: 'any-session',
  reads: ['profile', 'company'],
  output: preferences,
  errors: [],
})

export const savePreferences = route({
  method: 'PUT',
  path: '/preferences',
  summary: 'Save how dates are written for the caller, and which mails they want',
  access: 'any-session',
  changes: ['profile'],
  body: preferencesForm,
  output: preferences,
  errors: [],
})

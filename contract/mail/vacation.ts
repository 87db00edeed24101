/** The vacation reply of a mailbox (RFC 3834): the answer that senders get while the holder is away. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

/** Days between two answers to the same sender (RFC 5230 §4.1). */
export const VACATION_DAYS = 7
export const MAX_VACATION_TEXT = 10_000

const day = z
  .string()
  .refine((value) => value === '' || z.iso.date().safeParse(value).success, 'Please choose a day')
  .default('')

const shape = {
  isOn: z.boolean(),
  firstDay: day.describe("First day; '': now."),
  lastDay: day.describe("Last day, inclusive; '': until it is turned off."),
  timeZone: fields.timeZone.describe('Time zone in which days begin and end.'),
  subject: fields
    .line(200)
    .trim()
    .default('')
    .describe("'': 'Auto: ' and the subject of the answered message."),
  text: fields.multiline(MAX_VACATION_TEXT).default(''),
}

export const NO_VACATION_TEXT = 'Please write what senders should read'
export const DAYS_TURNED_ROUND = 'The last day is before the first'

export const vacationForm = z.strictObject(shape).superRefine((form, context) => {
  const { isOn, firstDay, lastDay, text } = form
  const tell = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  if (isOn && text.trim() === '') tell('text', NO_VACATION_TEXT)
  if (lastDay !== '' && lastDay < firstDay) tell('lastDay', DAYS_TURNED_ROUND)
})

export const vacation = z.object({
  ...shape,
  timeZone: z.string().describe("'' while none is saved and the workspace has none."),
  state: z
    .enum(['off', 'waiting', 'on', 'over'])
    .describe('off; waiting for its first day; on; over since its last day.'),
  answered: z.number().int().describe('Number of senders answered.'),
})
export type Vacation = z.infer<typeof vacation>

const params = z.object({ id: z.string() })

export const getVacation = route({
  name: 'getVacation',
  method: 'GET',
  path: '/mailboxes/{id}/vacation',
  summary: 'The vacation reply of a mailbox',
  access: 'open-mailboxes',
  reads: ['settings'],
  params,
  output: vacation,
  errors: ['NOT_EXISTS'],
})

export const setVacation = route({
  name: 'setVacation',
  method: 'PUT',
  path: '/mailboxes/{id}/vacation',
  summary: 'Turn the vacation reply of a mailbox on or off; another text answers everybody anew',
  access: 'open-mailboxes',
  changes: ['settings'],
  params,
  body: vacationForm,
  output: vacation,
  errors: ['NOT_EXISTS'],
})

/** What the pages must know of this installation before anybody signs in. */
import { z } from 'zod'
import { INSTALLATION_PATH, route } from './route.ts'

export const installation = z.object({
  billing: z.enum(['off', 'invoice']),
  signUp: z.enum(['open', 'invite', 'closed']),
  /** Where the operator's terms are; null: only the page of ours. */
  termsUrl: z.string().nullable(),
  google: z.boolean(),
  /** Google itself: its return page must carry code, scope, authuser and prompt. */
  googleIsGoogle: z.boolean(),
  /** The demo: its DNS can be edited in the page Sandbox DNS. */
  sandboxDns: z.boolean(),
})
export type Installation = z.infer<typeof installation>

export const getInstallation = route({
  method: 'GET',
  path: INSTALLATION_PATH,
  summary: 'Public settings of this installation',
  access: 'anyone',
  reads: ['installation'],
  output: installation,
  errors: [],
})

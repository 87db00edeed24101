/** Facts about this installation that the pages need before sign-in. */
import { z } from 'zod'
import { price } from './billing.ts'
import { INSTALLATION_PATH, route } from './route.ts'

export const installation = z.object({
  billing: z.enum(['off', 'invoice']),
  /** null: mailboxes cost nothing. */
  price: price.nullable(),
  signUp: z.enum(['open', 'invite', 'closed']),
  /** URL of the operator's terms; null: our own page is shown. */
  termsUrl: z.string().nullable(),
  /** URL of the operator's privacy policy; null: our own page is shown. */
  privacyUrl: z.string().nullable(),
  operatorName: z.string().nullable(),
  /** An e-mail address, or a web address. */
  operatorContact: z.string(),
  google: z.boolean(),
  /** The issuer is Google: its return page must have code, scope, authuser and prompt. */
  googleIsGoogle: z.boolean(),
  /** true in the demo: the page Sandbox DNS edits its DNS. */
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

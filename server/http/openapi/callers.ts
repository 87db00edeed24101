/** Who may call an operation, in words and as security of OpenAPI. */

import { reachOf } from '#contract/developers/key-reach.ts'
import { keyUse } from '#contract/developers/scopes.ts'
import { type CallerRole, rolesThatCan } from '#contract/rights.ts'
import type { Access, Route } from '#contract/route.ts'

const plural: Record<CallerRole, string> = {
  Admin: 'Admins',
  Editor: 'Editors',
  User: 'Users',
  Holder: 'people who sign in with the address of a mailbox',
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

const inWords: Record<Exclude<Access, 'anyone' | Parameters<typeof rolesThatCan>[0]>, string> = {
  'signed-in': 'everybody with an account.',
  'any-session': 'everybody who is signed in, also with the address of one mailbox.',
  operator: 'operators of the installation.',
}

/** A sentence without its subject: 'Admins and Editors of the workspace.' */
export const whoMayCall = (access: Access): string => {
  if (access === 'anyone') return 'anyone, without signing in.'
  if (access in inWords) return inWords[access as keyof typeof inWords]
  const roles = rolesThatCan(access as Parameters<typeof rolesThatCan>[0])
  const members = roles.filter((role) => role !== 'Holder').map((role) => plural[role])
  const holders = roles.includes('Holder') ? `, and ${plural.Holder}` : ''
  return `${listed(members)} of the workspace${holders}.`
}

/** What an API key needs for it, and why it may not; '' where nobody is asked. */
export const keyNeeds = (route: Route): string => {
  const use = keyUse(route)
  if (use === 'open') return ''
  if ('never' in use) return `No API key may call it. ${use.never}.`
  const scopes = listed(use.scopes.map((scope) => `\`${scope}\``))
  const needs = scopes === '' ? 'Every API key may call it' : `An API key needs ${scopes}`
  return reachOf(route) === null
    ? `${needs}, and must not be narrowed to domains or mailboxes.`
    : `${needs}.`
}

export const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The token that POST /auth/login answers. It is good for minutes: POST /auth/refresh renews it with the cookie of the session.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'mailstead_ and 36 letters and digits',
    description:
      'An API key. It works in one workspace and acts as the member who made it, within its scopes: each operation names those that it needs.',
  },
}

/** Each entry is one way to authenticate; none: the operation is open. What stands at `apiKey` are the scopes that a key needs. */
export const securityOf = (route: Route): Record<string, string[]>[] => {
  const use = keyUse(route)
  if (use === 'open') return []
  return [{ accessToken: [] }, ...('scopes' in use ? [{ apiKey: [...use.scopes] }] : [])]
}

/** Who may call an operation, in words and as security of OpenAPI. */
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

export const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The token that POST /auth/login answers. It is good for minutes: POST /auth/refresh renews it with the cookie of the session.',
  },
}

/** Each entry is one way to authenticate; none: the operation is open. */
export const securityOf = (route: Route): Record<string, string[]>[] =>
  route.access === 'anyone' ? [] : [{ accessToken: [] }]

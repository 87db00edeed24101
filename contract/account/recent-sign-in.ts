/**
 * Which routes ask whether it is still the person: by what they change, so that a new route asks by itself (decision 117).
 */
import type { Route } from '../route.ts'
import type { Subject } from '../subjects.ts'

/** A sign-in, or a confirmation since, is recent for so long. */
export const RECENT_SECONDS = 900

/** Money, members, domains, who reads and sends mail, what an operator does, and how the person signs in. */
const sensitive: readonly Subject[] = [
  ...(['invoices', 'members', 'invitations', 'domains', 'dns-links', 'access'] as const),
  ...([
    'app-passwords',
    'api-keys',
    'webhooks',
    'workspace-exports',
    'operating',
    'factors',
  ] as const),
]

/**
 * `of-everybody`: also of a person without a second factor, who confirms by the password; otherwise only a person with one is asked.
 * null: the route asks nobody.
 */
export const recentSignInFor = (
  route: Pick<Route, 'method' | 'access' | 'changes' | 'asksForRecentSignIn'>,
): 'of-everybody' | 'with-factor' | null => {
  if (route.method === 'GET' || route.access === 'anyone') return null
  const changes = route.changes ?? []
  if (changes.includes('factors')) return 'of-everybody'
  const asks = route.asksForRecentSignIn ?? changes.some((subject) => sensitive.includes(subject))
  return asks ? 'with-factor' : null
}

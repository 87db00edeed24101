/** The link that ends a session without a sign-in, for mails about what that session did. Who opens it: accounts/sessions/ending-link.ts. */
import type { App } from '#server/app.ts'

type World = Pick<App, 'config' | 'secrets'>

/** Nothing is stored: it is a MAC of the sessions' ids, with dots between them (decision 119). */
export const endingMacOf = ({ secrets }: Pick<App, 'secrets'>, ids: string): string =>
  secrets.mac('ending-link', ids).toString('base64url')

/** Of one session, or of several of one person: one asked for a change, another one opened its link. */
export const endingLinkFor = (app: World, ...sessionIds: readonly string[]): string => {
  const ids = sessionIds.join('.')
  return `${app.config.publicUrl}/end-session?token=${ids}.${endingMacOf(app, ids)}`
}

export type EndingLink = { label: string; link: string }

export const endingButton = (app: World, sessionId: string): EndingLink => ({
  ...{ label: 'It was not me: end that session', link: endingLinkFor(app, sessionId) },
})

/** Below the button. */
export const AFTER_ENDING = [
  'The link needs no sign-in, and works as long as the session does. Then set a new password, and look at what else was changed.',
  'If it was you, you can ignore this mail.',
]

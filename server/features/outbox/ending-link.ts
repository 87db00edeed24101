/** The link that ends a session without a sign-in, for mails about what that session did. Who opens it: accounts/sessions/ending-link.ts. */
import type { App } from '#server/app.ts'

type World = Pick<App, 'config' | 'secrets'>

/** Nothing is stored: it is a MAC of the session's id (decision 119). */
export const endingMacOf = ({ secrets }: Pick<App, 'secrets'>, sessionId: string): string =>
  secrets.mac('ending-link', sessionId).toString('base64url')

export const endingLinkFor = (app: World, sessionId: string): string =>
  `${app.config.publicUrl}/end-session?token=${sessionId}.${endingMacOf(app, sessionId)}`

export type EndingLink = { label: string; link: string }

export const endingButton = (app: World, sessionId: string): EndingLink => ({
  ...{ label: 'It was not me: end that session', link: endingLinkFor(app, sessionId) },
})

/** Below the button. */
export const AFTER_ENDING = [
  'The link needs no sign-in, and works as long as the session does. Then set a new password, and look at what else was changed.',
  'If it was you, you can ignore this mail.',
]

import type { App } from '#server/app.ts'
import type { LogEvents } from '#server/log-events.ts'
import { networkOf } from '../throttle.ts'
import type { Client, StartedSession } from './start-session.ts'

/** After the session is committed. */
export const logSignedIn = (
  app: App,
  { answer: { user } }: StartedSession,
  { ip }: Client,
  by: LogEvents['signed-in']['by'],
): void =>
  app.logEvent('signed-in', {
    ...{ userId: user._id, email: user.email, by },
    ...{ ip, network: networkOf(ip) },
  })

export const logSignInFailed = (
  app: App,
  { ip }: Pick<Client, 'ip'>,
  email: string,
  why: LogEvents['sign-in-failed']['why'],
): void => app.logEvent('sign-in-failed', { ip, network: networkOf(ip), email, why })

export const logSignInThrottled = (
  app: App,
  { ip }: Pick<Client, 'ip'>,
  email: string,
  retryAfterSeconds: number,
): void =>
  app.logEvent('sign-in-throttled', { ip, network: networkOf(ip), email, retryAfterSeconds })

/** After the account is committed: its address is proven. */
export const logSignedUp = (
  app: App,
  { _id: userId, email }: { _id: string; email: string },
  ip: string,
): void => app.logEvent('signed-up', { userId, email, ip, network: networkOf(ip) })

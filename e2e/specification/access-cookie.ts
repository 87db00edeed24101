/** The cookie that holds the access token, as the tests look at it and tamper with it. */
import type { BrowserContext, Cookie } from '@playwright/test'
import type { User } from '#test-world/builders.ts'
import type { Setting } from './setting.ts'

const ACCESS_COOKIE = '_access_token'

export const accessCookie = async (context: BrowserContext): Promise<Cookie | undefined> =>
  (await context.cookies()).find(({ name }) => name === ACCESS_COOKIE)

export const dropAccessCookie = (context: BrowserContext): Promise<void> =>
  context.clearCookies({ name: ACCESS_COOKIE })

/** `value` as it stands in the cookie; a record is written as the client writes it. */
export const putAccessCookie = (
  context: BrowserContext,
  url: string,
  value: string | { token: unknown; tokenExpiresAt: unknown },
): Promise<void> =>
  context.addCookies([
    {
      name: ACCESS_COOKIE,
      value: typeof value === 'string' ? value : encodeURIComponent(JSON.stringify(value)),
      url,
    },
  ])

/** To the client it is good for a while yet; to the server it is nothing. */
export const putWornToken = (context: BrowserContext, url: string): Promise<void> =>
  putAccessCookie(context, url, { token: 'worn.out.token', tokenExpiresAt: Date.now() + 300_000 })

/** As thirty days later: the next refresh answers JWT_EXPIRED. */
export const runOut = async ({ db, clock }: Setting, user: Pick<User, 'id'>): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ expiresAt: clock.now() })
    .where('userId', '=', user.id)
    .execute()
}

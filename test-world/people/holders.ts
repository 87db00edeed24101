/** A mailbox with a holder, written as the features would leave it; and the requests that make one over the API. */

import type { App } from '#server/app.ts'
import type { ApiClient } from '../api-client.ts'
import { aUser, letRead, type Mailbox, type User } from '../builders.ts'
import { quickHash } from './quick-hash.ts'

export const HOLDERS_PASSWORD = 'Night-Train-7!'

export const aHolder = async (
  app: Pick<App, 'db' | 'clock'>,
  mailbox: Pick<Mailbox, 'id' | 'email' | 'workspaceId'>,
  password = HOLDERS_PASSWORD,
): Promise<User> => {
  const { id: mailboxId, email } = mailbox
  const passwordHash = quickHash(password)
  const user = await aUser(app, { email, mailboxId, passwordHash })
  await letRead(app, mailbox, user.id, 'holder')
  return user
}

/** The token of the link that an Admin copies. */
export const accessTokenFrom = async (admin: ApiClient, mailboxId: string): Promise<string> => {
  const { status, body } = await admin.call('POST', `/mailboxes/${mailboxId}/access/link`, {})
  if (status !== 201) throw new Error(`no link was made: ${status} ${JSON.stringify(body)}`)
  return new URL(body.link).searchParams.get('token') ?? ''
}

export const acceptBody = (session: string, password = HOLDERS_PASSWORD) => ({
  ...{ session, password, confirmPassword: password },
})

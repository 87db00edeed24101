/** A mailbox with a holder whose mail programs sign in with an app password, and the door of IMAP. */
import type { Who } from '#server/features/accounts/who.ts'
import { makeAppPassword } from '#server/features/programs/app-passwords.ts'
import { newId } from '#server/lib/ids.ts'
import type { ImapLimits } from '#server/mail/imap/connections.ts'
import { type OpenImap, openImap } from '#server/mail/imap/listener.ts'
import type { TestApp } from '../app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, type Mailbox } from '../builders.ts'
import { aHolder } from '../people/holders.ts'
import { ImapClient } from './imap-client.ts'

export type ImapReader = {
  who: Who
  /** Of the workspace; reads no mail of it. */
  admin: Who
  mailbox: Mailbox
  password: string
  /** Signed in over TLS. */
  signIn(): Promise<ImapClient>
}

export type ImapWorld = {
  door: OpenImap
  aReader(): Promise<ImapReader>
  close(): Promise<void>
}

export const anImapWorld = async (
  app: TestApp,
  limits: Partial<ImapLimits> = {},
): Promise<ImapWorld> => {
  const door = await openImap(app, limits)
  const clients: ImapClient[] = []
  const aReader = async (): Promise<ImapReader> => {
    const user = await aUser(app)
    const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
    const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
    const mailbox = await aMailbox(app, { domain })
    const { id: userId } = await aHolder(app, mailbox)
    const who: Who = {
      ...{ userId, sessionId: newId(), workspaceId: mailbox.workspaceId },
      ...{ role: 'Holder', ip: '127.0.0.1' },
    }
    const made = await makeAppPassword(app, who, mailbox.id, { name: 'Phone', scopes: ['imap'] })
    const signIn = async () => {
      const client = await ImapClient.connect(door.imaps)
      clients.push(client)
      await client.until('* OK')
      await client.ok(`LOGIN ${mailbox.email} ${made.password}`)
      return client
    }
    const admin: Who = { ...who, userId: user.id, role: 'Admin' }
    return { who, admin, mailbox, password: made.password, signIn }
  }
  return {
    door,
    aReader,
    close: async () => {
      for (const client of clients) client.close()
      await door.close()
    },
  }
}

/** A mailbox with a holder whose mail programs send with an app password, and the doors of submission. */
import type { Scope } from '#contract/mail/app-passwords.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { makeKey, storeKey } from '#server/features/domains/domain-keys.ts'
import { makeAppPassword } from '#server/features/programs/app-passwords.ts'
import { newId } from '#server/lib/ids.ts'
import {
  type OpenSubmission,
  openSubmission,
  type SubmissionLimits,
} from '#server/mail/submission/listener.ts'
import type { TestApp } from '../app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  type Domain,
  type Mailbox,
  type User,
} from '../builders.ts'
import { aHolder } from '../people/holders.ts'
import { anSmtpClient, onTheWire, type SmtpClient } from './smtp-client.ts'

export type ProgramSender = {
  who: Who
  /** Of the workspace; reads no mail of it. */
  admin: Who
  domain: Domain
  mailbox: Mailbox
  password: string
  /** Over TLS, greeted and signed in. */
  signIn(): Promise<SmtpClient>
}

export type SubmissionWorld = {
  door: OpenSubmission
  aSender(options?: { localPart?: string; scopes?: Scope[] }): Promise<ProgramSender>
  /** Over TLS, greeted. */
  connect(from?: string): Promise<SmtpClient>
  close(): Promise<void>
}

export const aSubmissionWorld = async (
  app: TestApp,
  limits: Partial<SubmissionLimits> = {},
): Promise<SubmissionWorld> => {
  const door = await openSubmission(app, limits)
  const clients: SmtpClient[] = []
  const connect = async (from?: string) => {
    const client = await anSmtpClient(door.tls, '127.0.0.1', from)
    clients.push(client)
    await client.startTls()
    await client.reply()
    await client.say('EHLO program.example.net')
    return client
  }
  const aSender: SubmissionWorld['aSender'] = async (options = {}) => {
    const { localPart, scopes = ['smtp'] } = options
    const user = await aUser(app)
    const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
    const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
    await storeKey(app.db, domain, await makeKey(app))
    const mailbox = await aMailbox(app, { domain, ...(localPart !== undefined && { localPart }) })
    const who = whoIs(await aHolder(app, mailbox), mailbox)
    const made = await makeAppPassword(app, who, mailbox.id, { name: 'Phone', scopes })
    const signIn = async () => {
      const client = await connect()
      const answer = await client.say(plainOf(mailbox.email, made.password))
      if (!answer.startsWith('235')) throw new Error(`no sign-in: ${answer}`)
      return client
    }
    const admin: Who = { ...who, userId: user.id, role: 'Admin' }
    return { who, admin, domain, mailbox, password: made.password, signIn }
  }
  return {
    ...{ door, connect, aSender },
    close: async () => {
      for (const client of clients) client.close()
      await door.close()
    },
  }
}

const whoIs = ({ id: userId }: User, { workspaceId }: Mailbox): Who => ({
  ...{ userId, sessionId: newId(), workspaceId, role: 'Holder', ip: '127.0.0.1' },
})

export const plainOf = (login: string, password: string): string =>
  `AUTH PLAIN ${Buffer.from(`\0${login}\0${password}`).toString('base64')}`

export type Handed = { from: string; to: string | readonly string[]; raw: string | Buffer }

/** Returns the first refusing reply, or the reply to the final dot. */
export const handIn = async (client: SmtpClient, { from, to, raw }: Handed): Promise<string> => {
  const commands = [
    `MAIL FROM:<${from}>`,
    ...[to].flat().map((each) => `RCPT TO:<${each}>`),
    'DATA',
  ]
  for (const command of commands) {
    const reply = await client.say(command)
    if (/^[23]/.test(reply)) continue
    await client.say('RSET').catch(() => '')
    return reply
  }
  client.write(onTheWire(raw))
  return client.reply()
}

/** A deliveries' view of what the mailbox sent: each recipient with the bytes that it gets. */
export const outgoingOf = async (app: TestApp, { id }: Pick<Mailbox, 'id'>) => {
  const rows = await app.db
    .selectFrom('outboxMessages')
    .innerJoin('deliveries', 'deliveries.outboxMessageId', 'outboxMessages.id')
    .select(['mailFrom', 'blob', 'sentMessageId', 'recipient'])
    .where('outboxMessages.mailboxId', '=', id)
    .orderBy('outboxMessages.createdAt')
    .orderBy('recipient')
    .execute()
  return Promise.all(
    rows.map(async ({ blob, ...row }) => ({ ...row, raw: (await app.blobs.get(blob)).toString() })),
  )
}

export const sentCopiesOf = async (app: TestApp, { id }: Pick<Mailbox, 'id'>) => {
  const rows = await app.db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .select(['messages.id', 'messages.uid', 'messages.blob', 'messages.bcc', 'messages.subject'])
    .where('messages.mailboxId', '=', id)
    .where('folders.role', '=', 'sent')
    .orderBy('messages.uid')
    .execute()
  return Promise.all(
    rows.map(async ({ blob, ...row }) => ({ ...row, raw: (await app.blobs.get(blob)).toString() })),
  )
}

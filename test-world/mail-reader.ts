/** Somebody with a mailbox of a whole running product, who reads by the API what came over SMTP. */
import { openHttpServer } from '#server/http/http-server.ts'
import type { RunningApp } from '#server/start-app.ts'
import { anApiClient, aVerifiedAccount } from './api-client.ts'
import { aDomain, aMailbox, letRead } from './builders.ts'
import { sendMail } from './smtp/smtp-client.ts'

const letter = (n: number) => `From: s@example.net\r\nSubject: ${n}\r\n\r\nHello\r\n`

export const aMailReader = async ({ app, addresses }: RunningApp) => {
  const server = await openHttpServer(app)
  const email = 'ada@example.org'
  const { token } = await aVerifiedAccount(app, anApiClient(server), email)
  const authorization = `Bearer ${token}`
  const user = await app.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const domain = await aDomain(app, { workspaceId: user.currentWorkspaceId ?? '', active: true })
  const mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, user.id)
  return {
    ...{ mailbox, authorization, client: anApiClient(server, { authorization }) },
    /** The reply to the mail: `port` may be another process's. */
    send: (n: number, raw = letter(n), port = addresses.smtp?.port ?? 0) =>
      sendMail(port, { from: 's@example.net', to: mailbox.email, raw }),
    close: () => server.close(),
  }
}

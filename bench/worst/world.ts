/** An installation with an honest tenant, an attacking tenant, and five free accounts. */
import type { systemClock } from '#server/lib/clock.ts'
import type { Database } from '#server/storage/database.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type Mailbox,
} from '#test-world/builders.ts'
import { codeOf } from '#test-world/people/factors.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { logIn, type Product } from '../product.ts'
import { aFullMailbox, anAdmin, domains, EMAIL, PASSWORD } from '../sample.ts'
import type { WorstWorld } from './attack.ts'
import type { Honest } from './honest-tenant.ts'

const FREE_ACCOUNTS = 5
const HONEST_MAIL = 5_000
/** Every line of these could begin a message of an mbox file. */
const LARGE_MAILS = 2
const LARGE_BYTES = 12_000_000
const SMALL_MAILS = 60
const DOMAIN = 'tenant.example'

const tenantEmail = 'tenant@example.org'
const guarded = { email: 'guarded@example.org', password: PASSWORD }
const freeEmail = (n: number) => `free${n}@example.org`

export type Seeded = { honest: Mailbox; tenant: Mailbox }

export const fill = async (world: { db: Database; clock: typeof systemClock }): Promise<Seeded> => {
  const admin = await anAdmin(world)
  const { passwordHash } = admin.user
  await domains(world, admin.workspace, 40)
  const honest = await aFullMailbox(world, admin, HONEST_MAIL)
  const user = await aUser(world, { email: tenantEmail, passwordHash })
  const workspace = await aWorkspace(world, { members: [{ user, role: 'Admin' }] })
  const domain = await aDomain(world, { workspaceId: workspace.id, name: DOMAIN, active: true })
  const tenant = await aMailbox(world, { domain, localPart: 'bob' })
  await letRead(world, tenant, user.id)
  for (let n = 0; n < FREE_ACCOUNTS; n++) {
    const free = await aUser(world, { email: freeEmail(n), passwordHash })
    await aWorkspace(world, { members: [{ user: free, role: 'Admin' }] })
  }
  const person = await aUser(world, { email: guarded.email, passwordHash })
  await aWorkspace(world, { members: [{ user: person, role: 'Admin' }] })
  return { honest, tenant }
}

/** Once. */
export const setUpFactor = async ({ url }: Product): Promise<void> => {
  const token = await logIn(url, guarded.email, guarded.password)
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`${url}/api/v1/second-factor/totp${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`the factor was answered ${answer.status}`)
    return answer.json()
  }
  const { secret } = (await ask('/begin', {})) as { secret: string }
  await ask('', { code: codeOf({ clock: { now: () => new Date() } }, secret) })
}

/** Delivered over SMTP like all mail. */
export const sendFirstMails = async ({ smtpPort }: Product, { tenant }: Seeded): Promise<void> => {
  const line = 'From all the world, which is a stage, and mail is its messenger.\r\n'
  for (let n = 0; n < LARGE_MAILS + SMALL_MAILS; n++) {
    const bytes = n < LARGE_MAILS ? LARGE_BYTES : 2_000
    const raw = `From: Grace <grace@example.org>\r\nSubject: ${n}\r\n\r\n${line.repeat(bytes / line.length)}`
    const reply = await sendMail(smtpPort, { from: 'grace@example.org', to: tenant.email, raw })
    if (!reply.startsWith('250')) throw new Error(`wanted 250, got ${reply}`)
  }
}

/** Tokens are valid for ten minutes: each attack gets new ones. */
export const enter = async (
  { url, smtpPort }: Product,
  { honest, tenant }: Seeded,
): Promise<{ honest: Honest; world: WorstWorld }> => {
  const tokenOf = (email: string) => logIn(url, email, PASSWORD)
  const free: string[] = []
  for (let n = 0; n < FREE_ACCOUNTS; n++) free.push(await tokenOf(freeEmail(n)))
  return {
    honest: {
      ...{ httpUrl: url, smtpPort, token: await tokenOf(EMAIL) },
      ...{ mailboxId: honest.id, address: honest.email },
    },
    world: {
      ...{ httpUrl: url, smtpPort, domain: DOMAIN, recipient: tenant.email },
      guarded,
      freeAccounts: free.map((token) => ({ token, mailboxId: '' })),
      tenant: { token: await tokenOf(tenantEmail), mailboxId: tenant.id },
    },
  }
}

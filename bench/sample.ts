/** The measured workspace: an Admin with a password, and the requested numbers of domains and messages. */
import { sql } from 'kysely'
import { hashPassword } from '#server/features/accounts/passwords.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Database } from '#server/storage/database.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type Mailbox,
  type User,
  type Workspace,
} from '#test-world/builders.ts'

type World = { db: Database; clock: Clock }

export const EMAIL = 'admin@example.org'
export const PASSWORD = 'Correct-Horse-7-Battery'

export const anAdmin = async (world: World): Promise<{ user: User; workspace: Workspace }> => {
  const user = await aUser(world, { email: EMAIL, passwordHash: await hashPassword(PASSWORD) })
  const workspace = await aWorkspace(world, { members: [{ user, role: 'Admin' }] })
  return { user, workspace }
}

/** Active domains `d0.example` ... with four records each. */
export const domains = async (world: World, workspace: Workspace, count: number): Promise<void> => {
  for (let n = 0; n < count; n++) {
    const domain = await aDomain(world, {
      workspaceId: workspace.id,
      name: `d${n}.example`,
      active: true,
    })
    await world.db
      .insertInto('domainRecords')
      .values(
        (['ownership', 'spf', 'dkim', 'dmarc', 'mx'] as const).map((purpose, position) => ({
          domainId: domain.id,
          workspaceId: workspace.id,
          purpose,
          position,
          type: purpose === 'mx' ? ('MX' as const) : ('TXT' as const),
          name: domain.name,
          value: 'v',
          ttl: 3600,
          priority: purpose === 'mx' ? 10 : null,
          isRequired: purpose !== 'mx',
          state: 'verified' as const,
          found: '[]',
          checkedAt: world.clock.now(),
          nextCheckAt: null,
          changedAt: null,
        })),
      )
      .execute()
  }
}

/** A mailbox that the user may read, with `count` messages in its Inbox. */
export const aFullMailbox = async (
  world: World,
  { user, workspace }: { user: User; workspace: Workspace },
  count: number,
): Promise<Mailbox> => {
  const domain = await aDomain(world, {
    workspaceId: workspace.id,
    name: 'full.example',
    active: true,
  })
  const mailbox = await aMailbox(world, { domain, localPart: 'ada' })
  const { db, clock } = world
  await letRead(world, mailbox, user.id)
  await sql`
    insert into messages (id, workspace_id, mailbox_id, folder_id, uid, modseq, thread_id, blob, size_bytes,
      message_id, subject, "from", preview, is_read, is_starred, has_attachments, mail_from, date, search_text)
    select gen_random_uuid(), ${workspace.id}, ${mailbox.id}, f.id, n, n, gen_random_uuid(), md5(n::text), 10000,
      n || '@example.org', 'Subject ' || n, '{"name":"Grace","address":"grace@example.org"}', 'A line of text', true,
      false, false, 'grace@example.org', ${clock.now()}::timestamptz - n * interval '1 minute', 'Subject ' || n
    from folders f, generate_series(1, ${count}::int) n
    where f.mailbox_id = ${mailbox.id} and f.role = 'inbox'`.execute(db)
  await sql`
    update folders set uid_next = ${count + 1}, highest_modseq = ${count}, message_count = ${count}
    where mailbox_id = ${mailbox.id} and role = 'inbox'`.execute(db)
  return mailbox
}

/** Builders of rows, written as the features would leave them. */
import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { FolderRole } from '#contract/messages.ts'
import type { Role } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { ReaderOrigin } from '#server/storage/rows/access-tables.ts'
import type { UsersTable } from '#server/storage/rows/account-tables.ts'
import type { DomainsTable } from '#server/storage/rows/domain-tables.ts'
import type { MailboxesTable } from '#server/storage/rows/mailbox-tables.ts'
import type { InvoicesTable, WorkspacesTable } from '#server/storage/rows/workspace-tables.ts'

type World = Pick<App, 'db' | 'clock'>

export type User = Selectable<UsersTable>
export type Workspace = Selectable<WorkspacesTable>
export type Domain = Selectable<DomainsTable>
export type Mailbox = Selectable<MailboxesTable>

/** Verified by default; without a password, because hashing is slow and signing in has its own tests. */
export const aUser = (
  { db, clock }: World,
  given: Partial<User> & { isVerified?: boolean } = {},
): Promise<User> => {
  const { isVerified = true, ...rest } = given
  return db
    .insertInto('users')
    .values({
      id: newId(),
      email: `${unique()}@example.org`,
      firstName: 'Ada',
      lastName: 'Lovelace',
      avatar: null,
      passwordHash: null,
      verifiedAt: isVerified ? clock.now() : null,
      currentWorkspaceId: null,
      lastLoginAt: null,
      createdAt: clock.now(),
      ...rest,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Becomes the current workspace of members who have none. */
export const aWorkspace = async (
  { db, clock }: World,
  given: Partial<Workspace> & { members?: { user: User; role: Role }[] } = {},
): Promise<Workspace> => {
  const { members = [], ...rest } = given
  const workspace = await db
    .insertInto('workspaces')
    .values({
      id: newId(),
      name: 'Analytical Engines',
      storageQuotaBytes: 75_000_000_000,
      createdAt: clock.now(),
      ...rest,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const { user, role } of members) {
    await db
      .insertInto('members')
      .values({ workspaceId: workspace.id, userId: user.id, role, createdAt: clock.now() })
      .execute()
    await db
      .updateTable('users')
      .set({ currentWorkspaceId: workspace.id })
      .where('id', '=', user.id)
      .where('currentWorkspaceId', 'is', null)
      .execute()
  }
  return workspace
}

/** `verified`: ownership is proven; `active` (which includes it): its required records too. */
export const aDomain = async (
  world: World,
  given: Partial<Domain> & { verified?: boolean; active?: boolean } = {},
): Promise<Domain> => {
  const { verified = false, active = false, ...rest } = given
  const { db, clock } = world
  const isVerified = verified || active
  return db
    .insertInto('domains')
    .values({
      id: newId(),
      workspaceId: rest.workspaceId ?? (await aWorkspace(world)).id,
      name: `${unique()}.example`,
      ownershipToken: randomBytes(16).toString('base64url'),
      isVerified,
      verifiedAt: isVerified ? clock.now() : null,
      isActive: active,
      activatedAt: active ? clock.now() : null,
      createdAt: clock.now(),
      ...rest,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Active by default, on a new active domain unless one is given, with its six folders. */
export const aMailbox = async (
  world: World,
  given: Partial<Mailbox> & { domain?: Domain; localPart?: string } = {},
): Promise<Mailbox> => {
  const { domain = await aDomain(world, { active: true }), localPart = unique(), ...rest } = given
  const { db, clock } = world
  const mailbox = await db
    .insertInto('mailboxes')
    .values({
      id: newId(),
      workspaceId: domain.workspaceId,
      domainId: domain.id,
      email: `${localPart}@${domain.name}`,
      firstName: 'Ada',
      lastName: 'Lovelace',
      status: 'active',
      createdAt: clock.now(),
      ...rest,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const [role, name] of Object.entries(folderNames))
    await db
      .insertInto('folders')
      .values({
        id: newId(),
        workspaceId: mailbox.workspaceId,
        mailboxId: mailbox.id,
        role: role as FolderRole,
        name,
      })
      .execute()
  return mailbox
}

const folderNames: Record<FolderRole, string> = {
  inbox: 'Inbox',
  sent: 'Sent',
  drafts: 'Drafts',
  junk: 'Junk',
  trash: 'Trash',
  archive: 'Archive',
}

/** Digits, so that no word that a test searches for occurs in it by chance. */
const unique = (): string => `x${randomBytes(6).readUIntBE(0, 6)}`

/** Gives the right to read a mailbox, which no role includes. */
export const letRead = async (
  { db, clock }: World,
  { id: mailboxId, workspaceId }: Pick<Mailbox, 'id' | 'workspaceId'>,
  userId: string,
  origin: ReaderOrigin = 'made',
): Promise<void> => {
  await db
    .insertInto('mailboxReaders')
    .values({ mailboxId, workspaceId, userId, origin, createdAt: clock.now() })
    .execute()
}

/** The quota of all mailboxes of the workspace together. */
export const limitStorage = async (
  { db }: World,
  workspaceId: string,
  storageQuotaBytes: number,
): Promise<void> => {
  await db
    .updateTable('workspaces')
    .set({ storageQuotaBytes })
    .where('id', '=', workspaceId)
    .execute()
}

/** An invoice of this month as it was issued, without its lines. */
export const anInvoice = (
  { db, clock }: World,
  given: Partial<Selectable<InvoicesTable>> & { workspaceId: string },
) => {
  const now = clock.now()
  const month = (next: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + next))
  return db
    .insertInto('invoices')
    .values({
      ...{ id: newId(), series: unique().slice(0, 6).toUpperCase(), number: 1, kind: 'invoice' },
      ...{ correctsId: null, status: 'Due', paidAt: null, amountCents: 200, mailboxCount: 1 },
      ...{ currency: 'usd', taxName: 'VAT', taxRate: 0, taxCents: 0, note: '' },
      ...{ periodStart: month(0), periodEnd: month(1), createdAt: now },
      dueAt: new Date(now.getTime() + 14 * 86_400_000),
      ...{ sellerName: 'Post Office', sellerAddress: '1 High Street\nLondon' },
      ...{ sellerVatId: 'GB 999 9999 73', sellerEmail: 'money@post-office.example' },
      ...{ paymentDetails: 'IBAN GB33 BUKB 2020 1555 5555 55', buyerName: 'Analytical Engines' },
      ...{ buyerAddress: '12 St James’s Square\nLondon', buyerVatId: '' },
      ...given,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

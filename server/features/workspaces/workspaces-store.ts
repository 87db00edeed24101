import { type Selectable, sql } from 'kysely'
import type { Company } from '#contract/workspaces.ts'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { factorDueAt } from '#server/features/factors/required-factor-queries.ts'
import { memberRows, workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type {
  CompanyProfilesTable,
  MembersTable,
  WorkspacesTable,
} from '#server/storage/rows/workspace-tables.ts'

export type OwnWorkspace = Selectable<WorkspacesTable> &
  Pick<Selectable<MembersTable>, 'role'> & { factorDueAt: Date | null }

/** Oldest membership first. */
export const findWorkspaces = (db: Db, userId: string): Promise<OwnWorkspace[]> =>
  own(db, userId).orderBy('m.createdAt').orderBy('w.id').execute()

export const findWorkspace = (
  db: Db,
  userId: string,
  workspaceId: string,
): Promise<OwnWorkspace | undefined> =>
  own(db, userId).where('w.id', '=', workspaceId).executeTakeFirst()

const own = (db: Db, userId: string) =>
  db
    .selectFrom(memberRows(db).as('m'))
    .innerJoin(workspaceRows(db).as('w'), 'w.id', 'm.workspaceId')
    .innerJoin(userRows(db).as('u'), 'u.id', 'm.userId')
    .selectAll('w')
    .select('m.role')
    .select(
      factorDueAt({
        ...{ userId: 'u.id', bornAt: 'u.createdAt' },
        ...{ workspaceId: sql`w.id`, joinedAt: sql`m.created_at` },
      }).as('factorDueAt'),
    )
    .where('m.userId', '=', userId)

export const findCompany = async (db: Db, workspaceId: string): Promise<Company | undefined> => {
  const row = await db
    .selectFrom('companyProfiles')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()
  return row && toCompany(row)
}

const toCompany = ({
  workspaceId: _,
  updatedAt: __,
  ...company
}: Selectable<CompanyProfilesTable>): Company => company

export const storeCompany = async (
  db: Db,
  workspaceId: string,
  company: Company,
  updatedAt: Date,
): Promise<Company> =>
  toCompany(
    await db
      .insertInto('companyProfiles')
      .values({ workspaceId, ...company, updatedAt })
      .onConflict((conflict) =>
        conflict.column('workspaceId').doUpdateSet({ ...company, updatedAt }),
      )
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

import type { Selectable } from 'kysely'
import type { Company } from '#contract/workspace/company.ts'
import type { Db } from '#server/storage/database.ts'
import type { CompanyProfilesTable } from '#server/storage/rows/workspace-tables.ts'

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

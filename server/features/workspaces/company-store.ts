import type { Company } from '#contract/workspace/company.ts'
import type { Db } from '#server/storage/database.ts'

export const findCompany = (db: Db, workspaceId: string): Promise<Company | undefined> =>
  db
    .selectFrom('companyProfiles')
    .select([
      'name',
      'website',
      'phone',
      'address',
      'zipCode',
      'country',
      'city',
      'timeZone',
      'timeFormat',
    ])
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()

export const storeCompany = async (
  db: Db,
  workspaceId: string,
  company: Company,
  updatedAt: Date,
): Promise<void> => {
  await db
    .insertInto('companyProfiles')
    .values({ workspaceId, ...company, updatedAt })
    .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet({ ...company, updatedAt }))
    .execute()
}

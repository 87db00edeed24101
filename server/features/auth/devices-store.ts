import type { Db } from '#server/storage/database.ts'

export const isKnownDevice = async (db: Db, userId: string, deviceHash: Buffer) =>
  (await db
    .selectFrom('knownDevices')
    .select('userId')
    .where('userId', '=', userId)
    .where('deviceHash', '=', deviceHash)
    .executeTakeFirst()) !== undefined

export const rememberDevice = async (
  db: Db,
  userId: string,
  deviceHash: Buffer,
  seenAt: Date,
): Promise<void> => {
  await db
    .insertInto('knownDevices')
    .values({ userId, deviceHash, seenAt })
    .onConflict((conflict) => conflict.columns(['userId', 'deviceHash']).doUpdateSet({ seenAt }))
    .execute()
}

/** With the password: a browser that is known may guess where a stranger must not. */
export const forgetDevices = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('knownDevices').where('userId', '=', userId).execute()
}

export const purgeDevices = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('knownDevices').where('seenAt', '<', before).execute()
}

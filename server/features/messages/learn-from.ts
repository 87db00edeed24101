/** Teaches the junk filter from a moved message, and stores with the message what was learnt. */
import { learnFromMove } from '#server/features/junk/junk-filter.ts'
import type { Db } from '#server/storage/database.ts'
import { noteLearnt, readForLearning } from './change-queries.ts'
import type { MessagePlace } from './message-queries.ts'

type Roles = Parameters<typeof learnFromMove>[2]

export const learnFrom = async (tx: Db, place: MessagePlace, roles: Roles): Promise<void> => {
  const { workspaceId, mailboxId } = place
  const read = () => readForLearning(tx, place)
  const kind = await learnFromMove(tx, { workspaceId, mailboxId }, roles, read)
  if (kind !== null) await noteLearnt(tx, place, kind)
}

/** More messages of one change would teach the junk filter little. */
export const MOST_LEARNT = 50

/** Of messages that move together. */
export const learnFromMany = async (
  tx: Db,
  place: Omit<MessagePlace, 'messageId'>,
  messageIds: readonly string[],
  roles: Roles,
): Promise<void> => {
  for (const messageId of messageIds.slice(0, MOST_LEARNT))
    await learnFrom(tx, { ...place, messageId }, roles)
}

/** That a message was answered or passed on stands at it, wherever it is now. */
import type { Db } from '#server/storage/database.ts'
import { lockMessage, touchFolder } from '../changes-store.ts'
import type { MessagePlace } from '../messages-store.ts'
import { setMark } from './marks-store.ts'

export type Mark = 'answered' | 'forwarded'

/** @returns whether that was a change. */
export const markOriginal = async (
  tx: Db,
  place: MessagePlace,
  mark: Mark,
  isOn: boolean,
): Promise<boolean> => {
  const message = await lockMessage(tx, place)
  if (message === undefined) return false
  const { modseq } = await touchFolder(tx, message.folderId, { messages: 0, unread: 0, uids: 0 })
  return setMark(tx, place, mark, { isOn, modseq })
}

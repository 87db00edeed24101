/**
 * 'Junk' and 'not junk' are moves into Junk and out of it. What is put away into Archive or a folder of one's own is kept,
 * so it is learnt as good mail; Trash says nothing, and one's own mail is nobody's junk.
 */
import type { FolderRole } from '#contract/messages.ts'
import { emptyModel, type Kind, learn } from '#server/standards/junk/junk-model.ts'
import { tokensOf } from '#server/standards/junk/tokens.ts'
import type { Db } from '#server/storage/database.ts'
import {
  type MailboxPlace,
  noteLearnt,
  readForLearning,
  readModel,
  writeModel,
} from './junk-store.ts'

type Role = FolderRole | null

/** Within the transaction of the move, the mailbox's row locked. `forgetModel` belongs after it. */
export const learnFromMove = async (
  tx: Db,
  place: MailboxPlace,
  messageId: string,
  { from, to }: { from: Role; to: Role },
): Promise<void> => {
  const isOwn = [from, to].some((role) => role === 'sent' || role === 'drafts')
  if (isOwn || to === 'trash') return
  const message = await readForLearning(tx, place, messageId)
  if (message === undefined) return
  const { learntAs } = message
  const wasJunk = from === 'junk' || learntAs === 'junk'
  const kind = kindOf(to, wasJunk)
  if (kind === null || kind === learntAs) return
  const tokens = tokensOf(message)
  const known = (await readModel(tx, place)) ?? emptyModel()
  const unlearnt = learntAs === null ? known : learn(known, tokens, learntAs, -1)
  await writeModel(tx, place, learn(unlearnt, tokens, kind, 1))
  await noteLearnt(tx, place, messageId, kind)
}

const kindOf = (to: Role, wasJunk: boolean): Kind | null => {
  if (to === 'junk') return 'junk'
  return wasJunk || to === 'archive' || to === null ? 'good' : null
}

/** STORE (RFC 9051 §6.4.6, RFC 7162 §3.1.3). */
import { changeFlags } from '#server/features/messages/by-uid/change-flags.ts'
import type { FlagsRow } from '#server/features/messages/by-uid/message-flags.ts'
import { Refusal } from '../refusal.ts'
import { knowsModseq, type Selecting, type Session, writableOf } from '../session.ts'
import type { Named } from '../wire/command.ts'
import { flagsText } from '../wire/flags.ts'
import { setText } from '../wire/message-sets.ts'

export const store = async (session: Session, command: Named<'STORE'>): Promise<string> => {
  const selected = writableOf(session)
  const { app, who, place, view } = selected
  const { isUid, set, how, flags, unchangedSince } = command
  if (!isUid && !view.hasAll(set)) throw new Refusal('', 'There is no such message')
  if (unchangedSince !== null) session.enabled.add('CONDSTORE')
  const uids = view.resolve(set, isUid)
  const change = { how, flags, unchangedSince }
  const { messages, modified } = await changeFlags(app, who, place, uids, change)
  for (const row of messages) {
    view.told.set(row.uid, row.modseq)
    tellStored(selected, row, command)
  }
  if (modified.length === 0) return 'Stored'
  const numbers = isUid ? modified : modified.map((uid) => view.sequenceOf(uid))
  return `[MODIFIED ${setText(numbers)}] Some messages have changed meanwhile`
}

const tellStored = (
  { session, view }: Selecting,
  row: FlagsRow,
  { isUid, isSilent, unchangedSince }: Named<'STORE'>,
): void => {
  const tellsModseq = knowsModseq(session) && (unchangedSince !== null || !isSilent)
  if (isSilent && !tellsModseq) return
  if (tellsModseq) view.noteTold(row.modseq)
  const items = [
    ...(isUid ? [`UID ${row.uid}`] : []),
    ...(isSilent ? [] : [`FLAGS ${flagsText(row)}`]),
    ...(tellsModseq ? [`MODSEQ (${row.modseq})`] : []),
  ]
  session.out.line(`* ${view.sequenceOf(row.uid)} FETCH (${items.join(' ')})`)
}

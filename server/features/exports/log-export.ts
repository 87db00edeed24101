/** An archive has everybody's mail: each mailbox says so in its access log (decision 112). */
import { insertEntries } from '#server/features/mailboxes/access/access-queries.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { mailboxesToExport } from './exported-rows-store.ts'

type Export = { workspaceId: string; actor: string; reason: string; at: Date }

export const logExport = async (
  tx: Db,
  { workspaceId, actor, reason, at }: Export,
): Promise<void> => {
  const mailboxes = await mailboxesToExport(tx, workspaceId)
  const entry = { workspaceId, actor, reason, at, subject: '', kind: 'exported' as const }
  for (let from = 0; from < mailboxes.length; from += AT_ONCE)
    await insertEntries(
      tx,
      mailboxes.slice(from, from + AT_ONCE).map(({ id, email }) => ({
        ...{ ...entry, id: newId(at.getTime()), mailboxId: id, mailboxEmail: email },
      })),
    )
}

const AT_ONCE = 1_000

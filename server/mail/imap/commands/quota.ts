/** GETQUOTA and GETQUOTAROOT (RFC 9208). One root, '', for all folders: the storage of the workspace. */
import { readStorage } from '#server/features/messages/by-uid/read-storage.ts'
import { findFolder } from '../folders.ts'
import { Refusal } from '../refusal.ts'
import { type Reader, readerOf, type Session, takesUtf8 } from '../session.ts'
import type { Named } from '../wire/command.ts'
import { nameText } from '../wire/mailbox-names.ts'

export const quota = async (
  session: Session,
  { name, of }: Named<'GETQUOTA' | 'GETQUOTAROOT'>,
): Promise<string> => {
  const reader = readerOf(session)
  if (name === 'GETQUOTA' && of !== '')
    throw new Refusal('NONEXISTENT', 'There is no such quota root')
  if (name === 'GETQUOTAROOT') {
    const { path } = await findFolder(reader, of)
    session.out.line(`* QUOTAROOT ${nameText(path, takesUtf8(session))} ""`)
  }
  await tellQuota(reader)
  return 'Told'
}

const tellQuota = async ({ session, app, who, mailboxId }: Reader): Promise<void> => {
  const { usedBytes, quotaBytes } = await readStorage(app, who, mailboxId)
  const [used, most] = [Math.ceil(usedBytes / 1024), Math.floor(quotaBytes / 1024)]
  session.out.line(`* QUOTA "" (STORAGE ${used} ${most})`)
}

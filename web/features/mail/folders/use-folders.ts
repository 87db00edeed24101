import { listFolders } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { whileHidden } from './use-notifications.ts'

export const useFolders = (mailboxId: string) =>
  useApi(listFolders, { params: { id: mailboxId } }, { enabled: mailboxId !== '', ...whileHidden })
    .data

import { listFolders } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { pollWhileHidden } from './use-notifications.ts'

export const useFolders = (mailboxId: string) =>
  useApi(
    listFolders,
    { params: { id: mailboxId } },
    { enabled: mailboxId !== '', ...pollWhileHidden },
  ).data

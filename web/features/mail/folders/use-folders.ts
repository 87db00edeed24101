import { listFolders } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { caughtUp } from '../list/catch-up.ts'
import { pollWhileHidden } from './use-notifications.ts'

export const useFolders = (mailboxId: string) =>
  useApi(
    listFolders,
    { params: { id: mailboxId } },
    { enabled: mailboxId !== '', ...caughtUp, ...pollWhileHidden },
  ).data

import { focusManager } from '@tanstack/react-query'
import { listFolders } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'

/** Events reach only pages that are seen; a hidden one asks now and then, for the count in its title. */
const HIDDEN_MS = 60_000

export const useFolders = (mailboxId: string) =>
  useApi(
    listFolders,
    { params: { id: mailboxId } },
    {
      enabled: mailboxId !== '',
      refetchInterval: () => (focusManager.isFocused() ? false : HIDDEN_MS),
      refetchIntervalInBackground: true,
    },
  ).data

import { listFolders } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import type { SelectOption } from '#web/ui/form/select.tsx'

/** Stands for no folder, because an option needs a value. */
export const NO_FOLDER = 'none'

/** Options: `first`, then the folders of the mailbox. */
export function useFolderOptions(mailboxId: string, first: string): SelectOption[] {
  const folders = useApi(listFolders, { params: { id: mailboxId } })
  const own = folders.data?.map(({ _id, role, name }) => ({ value: role ?? _id, label: name }))
  return [{ value: NO_FOLDER, label: first }, ...(own ?? [])]
}

export const chosenFolder = (value: string): { folder?: string } =>
  value === NO_FOLDER ? {} : { folder: value }

import { listFolders } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import type { SelectOption } from '#web/ui/form/select.tsx'

/** Stands for no folder: an option must have a value. */
export const NO_FOLDER = 'none'

/** The folders of a mailbox below a first choice. */
export function useFolderOptions(mailboxId: string, first: string): SelectOption[] {
  const folders = useApi(listFolders, { params: { id: mailboxId } })
  const own = folders.data?.map(({ _id, role, name }) => ({ value: role ?? _id, label: name }))
  return [{ value: NO_FOLDER, label: first }, ...(own ?? [])]
}

export const chosenFolder = (value: string): { folder?: string } =>
  value === NO_FOLDER ? {} : { folder: value }

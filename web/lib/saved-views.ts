/** The views of a list that its reader keeps by a name: each the part of the URL that narrows and sorts the list (decision 075). */
import { useSearchParams } from 'react-router'
import {
  deleteView,
  listSavedViews,
  renameView,
  type SavedView,
  saveView,
} from '#contract/saved-views.ts'
import { messageOf } from './api/api-error.ts'
import { useApi, useCall } from './api/use-api.ts'
import { toast, toastError } from './toast-store.ts'

/** `names`: the parameters of the URL that belong to a view. */
export function useSavedViews(list: SavedView['list'], names: readonly string[]) {
  const [query, setQuery] = useSearchParams()
  const { data: all = [] } = useApi(listSavedViews, {})
  const save = useCall(saveView)
  const rename = useCall(renameView)
  const remove = useCall(deleteView, {
    onSuccess: () => void toast({ title: 'View deleted', variant: 'success' }),
    onError: (error) => toastError(messageOf(error)),
  })
  const now = partOf(query, names)
  const views = all
    .filter((view) => view.list === list)
    .map(({ _id, name, query: kept }) => {
      const place = partOf(new URLSearchParams(kept), names)
      return { id: _id, name, place, isOn: `${place}` === `${now}` }
    })
  return {
    views,
    /** The list is narrowed or sorted as no view is. */
    canSave: now.size > 0 && !views.some(({ isOn }) => isOn),
    onOpen: (id: string) => setQuery(views.find((view) => view.id === id)?.place ?? ''),
    onSave: (name: string) =>
      refusalOf(save.mutateAsync({ body: { list, name, query: `${now}` } })),
    onRename: (id: string, name: string) =>
      refusalOf(rename.mutateAsync({ params: { id }, body: { name } })),
    onDelete: (id: string) => remove.mutate({ params: { id } }),
  }
}

/** In one order, so that the same view is the same text. */
const partOf = (query: URLSearchParams, names: readonly string[]): URLSearchParams =>
  new URLSearchParams(
    names.flatMap((name) => {
      const value = query.get(name)
      return value ? [[name, value]] : []
    }),
  )

/** The sentence for the user; null: it was saved. */
const refusalOf = async (saved: Promise<unknown>): Promise<string | null> => {
  try {
    await saved
    return null
  } catch (error) {
    return messageOf(error)
  }
}

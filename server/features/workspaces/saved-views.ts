/** Views of lists that members keep by a name: each their own, in one workspace. */
import { AppError } from '#contract/errors.ts'
import { MAX_SAVED_VIEWS, type SavedView } from '#contract/saved-views.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { lockMember } from '#server/features/tenants/workspace-queries.ts'
import { isId, newId } from '#server/lib/ids.ts'
import {
  deleteViewRow,
  findViews,
  insertView,
  isSameName,
  type SavedViewRow,
  updateView,
} from './saved-views-store.ts'

/** Of all lists, oldest first. */
export const listViews = async (app: App, who: Who): Promise<SavedView[]> =>
  (await findViews(app.db, who)).map(toSavedView)

/** One of the same list and name is replaced. @throws VIEW_LIMIT; NOT_EXISTS for a person who is in no workspace */
export const saveView = (
  app: App,
  who: Who,
  { list, name, query }: Pick<SavedView, 'list' | 'name' | 'query'>,
): Promise<SavedView> =>
  app.db.transaction().execute(async (tx) => {
    // One at a time: two requests cannot both save the last allowed view.
    const isMember = await lockMember(tx, who.workspaceId, who.userId)
    if (!isMember) throw new AppError('NOT_EXISTS')
    const views = (await findViews(tx, who)).filter((view) => view.list === list)
    const same = views.find((view) => view.name === name)
    if (same) return toSavedView(await updateView(tx, who, same.id, { query }))
    if (views.length >= MAX_SAVED_VIEWS) throw new AppError('VIEW_LIMIT')
    const { workspaceId, userId } = who
    const row = { id: newId(), workspaceId, userId, list, name, query, createdAt: app.clock.now() }
    return toSavedView(await insertView(tx, row))
  })

/** @throws NOT_EXISTS */
export const requireView = async (app: App, who: Who, id: string): Promise<void> => {
  if (!(await findViews(app.db, who)).some((view) => view.id === id.toLowerCase()))
    throw new AppError('NOT_EXISTS')
}

/** @throws NOT_EXISTS, VIEW_EXISTS */
export const renameView = async (
  app: App,
  who: Who,
  id: string,
  name: string,
): Promise<SavedView> => {
  try {
    return toSavedView(isId(id) ? await updateView(app.db, who, id, { name }) : undefined)
  } catch (error) {
    if (isSameName(error)) throw new AppError('VIEW_EXISTS')
    throw error
  }
}

/** @throws NOT_EXISTS */
export const deleteView = async (app: App, who: Who, id: string): Promise<void> => {
  if (!isId(id) || !(await deleteViewRow(app.db, who, id))) throw new AppError('NOT_EXISTS')
}

const toSavedView = (row: SavedViewRow | undefined): SavedView => {
  if (!row) throw new AppError('NOT_EXISTS')
  const { id: _id, list, name, query } = row
  return { _id, list, name, query }
}

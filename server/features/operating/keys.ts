/** API keys of a workspace, for operators: one that leaked is ended while nobody of the workspace can be reached. */
import { AppError } from '#contract/errors.ts'
import { announceKeysEnded, keyRows, removeKey } from '#server/features/keys/key-queries.ts'
import { type Operator, type OperatorApp, operate } from '#server/features/operators/operators.ts'
import { isId } from '#server/lib/ids.ts'
import { findWorkspaceId } from './workspaces.ts'

/** Newest first, those of people too; never what a key is. @throws NOT_EXISTS */
export const listKeys = async ({ db }: Pick<OperatorApp, 'db'>, workspace: string) =>
  keyRows(db, await findWorkspaceId(db, workspace)).execute()

/** With its event streams. @throws NOT_EXISTS */
export const endKey = (
  app: OperatorApp,
  by: Operator,
  workspace: string,
  id: string,
): Promise<string> =>
  operate(app, by, async (tx) => {
    const workspaceId = await findWorkspaceId(tx, workspace)
    const name = isId(id) ? await removeKey(tx, { workspaceId, id }) : null
    if (name === null) throw new AppError('NOT_EXISTS')
    await announceKeysEnded(tx)
    return { action: { verb: 'key end', workspaceId, subject: name, detail: id }, answer: name }
  })

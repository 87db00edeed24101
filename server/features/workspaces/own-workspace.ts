import { AppError } from '#contract/errors.ts'
import { memberCan, type Right } from '#contract/rights.ts'
import { isId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { findWorkspace, type OwnWorkspace } from './workspaces-store.ts'

export type { OwnWorkspace }

/**
 * A workspace that the user is in, named by its id rather than by the header of the request.
 * @throws NOT_EXISTS when it is not theirs, FORBIDDEN when their role there has not the right.
 */
export const ownWorkspace = async (
  db: Db,
  userId: string,
  id: string,
  right: Right = 'see-workspace',
): Promise<OwnWorkspace> => {
  const workspace = isId(id) ? await findWorkspace(db, userId, id) : undefined
  if (!workspace) throw new AppError('NOT_EXISTS')
  if (!memberCan(workspace.role, right)) throw new AppError('FORBIDDEN')
  return workspace
}

/** What the audit log of a workspace says of nobody in it, oldest first: the action and the name of what it was done to. */
import { BY_OPERATOR, BY_SYSTEM } from '#contract/workspace/audit-log.ts'
import { listAuditLog } from '#server/features/audit/list-audit-log.ts'
import type { TestApp } from './app.ts'

type Place = { workspaceId: string }

const linesBy =
  (who: string) =>
  async (app: TestApp, { workspaceId }: Place): Promise<(readonly [string, string])[]> => {
    const query = { limit: 200, order: 'at', direction: 'up', who } as const
    const { items } = await listAuditLog(app, { workspaceId }, query)
    return items.map(({ action, object }) => [action, object] as const)
  }

export const linesBySystem = linesBy(BY_SYSTEM)
export const linesByOperator = linesBy(BY_OPERATOR)

import type { App } from '#server/app.ts'
import type { LogEvents } from '#server/log-events.ts'
import { afterCommit } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import type { Who } from './who.ts'

type Right = LogEvents['right-changed']

/** A line for what this member changes, once it is committed. */
export const logRight = (
  app: App,
  tx: Db,
  { workspaceId, userId: by }: Pick<Who, 'workspaceId' | 'userId'>,
  right: Pick<Right, 'what' | 'objectId' | 'change' | 'whose'>,
): void => afterCommit(tx, () => app.logEvent('right-changed', { ...right, workspaceId, by }))

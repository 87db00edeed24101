/** Whose domain a name is. Only proven ownership counts; whether the domain is active does not matter for receiving. */
import type { App } from '#server/app.ts'
import { readHolder } from './domains-store.ts'

export type VerifiedDomain = {
  id: string
  workspaceId: string
  name: string
  isActive: boolean
  /** Since then it may send, also while a record is broken. */
  activatedAt: Date | null
  /** Its proof has been missing for a week: it receives and sends nothing. */
  isSendingStopped: boolean
}

/** `name` in A-labels. */
export const findVerifiedDomain = async (
  app: App,
  name: string,
): Promise<VerifiedDomain | null> => {
  const row = await readHolder(app.db, name.toLowerCase())
  if (!row) return null
  const { id, workspaceId, isActive, activatedAt } = row
  const isSendingStopped = row.sendingStoppedAt !== null
  return { id, workspaceId, name: row.name, isActive, activatedAt, isSendingStopped }
}

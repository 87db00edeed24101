import type { App } from '#server/app.ts'
import { readClaimsOf } from '../ownership-store.ts'

/** The domain is one that this workspace asks for, and another one holds. */
export const hasOpenClaim = async (app: App, domainId: string): Promise<boolean> =>
  (await readClaimsOf(app.db, [domainId])).some(({ outcome }) => outcome === null)

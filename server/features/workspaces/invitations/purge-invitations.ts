import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { deleteInvitations } from './invitations-store.ts'

const KEPT_SECONDS = 30 * 24 * 3600

/** Answered and expired ones stay a while: "expired" is a better answer than "unknown". For a daily job. */
export const purgeInvitations = (app: App): Promise<void> =>
  deleteInvitations(app.db, secondsAfter(app.clock.now(), -KEPT_SECONDS))

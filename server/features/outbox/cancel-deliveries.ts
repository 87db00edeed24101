import type { Db } from '#server/storage/database.ts'
import { failDeliveriesOf } from './deliveries-store.ts'

/**
 * Mail that is still on its way out from this domain is not tried again: its bounces would reach whoever has the name
 * next. Before the mailboxes go, and before they are locked.
 */
export const cancelDeliveries = (db: Db, domainId: string, now: Date): Promise<void> =>
  failDeliveriesOf(db, domainId, 'The domain of the sender was given up', now)

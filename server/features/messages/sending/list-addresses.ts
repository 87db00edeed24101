import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { ownAddresses } from '#server/features/mailboxes/addresses/own-addresses.ts'
import { openMailbox } from '../mailbox-access.ts'

/** What a mailbox may send as, for whoever reads and so writes its mail. */
export const listAddresses = async (app: App, who: Who, mailboxId: string): Promise<string[]> =>
  ownAddresses(app, await openMailbox(app, who, mailboxId))

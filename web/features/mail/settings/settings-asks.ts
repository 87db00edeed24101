import { getMailboxSettings, getStorage } from '#contract/mail/mailbox-settings.ts'
import { listPictureSenders } from '#contract/mail/pictures.ts'
import { getSending } from '#contract/mail/sending.ts'
import { listImports } from '#contract/mail/transfer.ts'
import { getVacation } from '#contract/mail/vacation.ts'
import { listMailboxes } from '#contract/mailboxes.ts'
import type { Asks } from '#web/lib/api/asks.ts'
import { keyOf } from '#web/lib/api/use-api.ts'
import { all, readable } from '../place/use-mailboxes.ts'

/** What the settings of a mailbox show at first; what only some may see is asked when it is drawn. */
export const settingsAsks: Asks = (query) => {
  const id = query.get('mailbox')
  const lists = [keyOf(listMailboxes, all), keyOf(listMailboxes, readable)]
  return id ? [...lists, ...ofMailbox({ params: { id } })] : lists
}

const ofMailbox = (own: { params: { id: string } }): ReturnType<Asks> => [
  ...[keyOf(getMailboxSettings, own), keyOf(getVacation, own), keyOf(getStorage, own)],
  ...[keyOf(listPictureSenders, own), keyOf(listImports, own), keyOf(getSending, own)],
]

/** NOTIFY (RFC 5465 §3). */
import { Refusal } from '../refusal.ts'
import { readerOf, type Session } from '../session.ts'
import { readFolders, tellAll } from '../tell-folders.ts'
import type { EventGroup, Named } from '../wire/command.ts'

export const notify = async (
  session: Session,
  { groups, tellsStatus, badEvents }: Named<'NOTIFY'>,
): Promise<string> => {
  readerOf(session)
  if (badEvents)
    throw new Refusal(
      'BADEVENT (MessageNew MessageExpunge FlagChange MailboxName SubscriptionChange)',
      'An event is not known here',
    )
  const folders = groups?.some(isOfOthers) ? await readFolders(session) : null
  if (groups !== null && folders !== null && tellsStatus) tellAll(session, groups, folders)
  session.watch = { groups: groups ?? [], folders }
  // What has gathered in the selected mailbox is told before the answer.
  session.hasNews = true
  return 'Watching'
}

const isOfOthers = ({ of, events }: EventGroup): boolean =>
  of !== 'SELECTED' && of !== 'SELECTED-DELAYED' && events.size > 0

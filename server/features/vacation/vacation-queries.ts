/** For later rooms: notes incoming messages that may get a vacation reply, and moves the replies of a domain. */
import { sql } from 'kysely'
import type { AlsoKept } from '#server/features/messages/message-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { type Move, moveByMailbox } from '#server/storage/move-rows.ts'

/** Kept with the message, so that its answer is neither lost nor sent twice (decision 028); `answer-dues` decides. */
export const vacationDue: AlsoKept = ({ id, date }) => sql`, due as (
      insert into vacation_dues (message_id, mailbox_id, workspace_id)
      select ${id}, box.id, box.workspace_id
      from box join vacation_replies reply on reply.mailbox_id = box.id and reply.workspace_id = box.workspace_id
      where is_on and starts_at <= ${date} and (ends_at is null or ends_at > ${date})
    )`

export const moveVacationRows = (db: Db, move: Move): Promise<void> =>
  moveByMailbox(db, move, ['vacation_replies', 'vacation_dues', 'vacation_answers'])

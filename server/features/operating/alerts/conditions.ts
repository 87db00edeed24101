/** Everything that operators are alerted to. One more is a file and a line here, and one in `docs/operating/alerts.md`. */
import { backupAge } from './backup-age.ts'
import { blockList } from './block-list.ts'
import { cardPayments } from './card-payments.ts'
import { certificate } from './certificate.ts'
import type { Condition } from './condition.ts'
import { databaseAway } from './database-away.ts'
import { disk } from './disk.ts'
import { fastSender } from './fast-sender.ts'
import { queueAge } from './queue-age.ts'
import { refusedMail } from './refused-mail.ts'
import { webhookTrouble } from './webhook-trouble.ts'

/** Remembered in the database. */
export const conditions: readonly Condition[] = [
  queueAge,
  disk,
  certificate,
  blockList,
  refusedMail,
  fastSender,
  backupAge,
  webhookTrouble,
  cardPayments,
]

/** Remembered by the process, since it is about the database. */
export const conditionsWithoutDatabase: readonly Condition[] = [databaseAway]

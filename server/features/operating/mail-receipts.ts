/** Mails the receipts of what operators did to those whom it concerns. */
import type { App } from '#server/app.ts'
import type { ReceiptRow } from '#server/features/operators/operator-queries.ts'
import { takeReceipt } from '#server/features/operators/operator-queries.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, type Mail } from '#server/features/outbox/system-mail.ts'
import { timeText } from '#server/lib/clock.ts'

/** For a loop. */
export const mailReceipts = async (app: App, isClosing: () => boolean = () => false) => {
  for (let hasMore = true; hasMore && !isClosing(); )
    hasMore = await app.db.transaction().execute(async (tx) => {
      const receipt = await takeReceipt(tx)
      if (receipt === undefined) return false
      const mail = receiptMail(app, receipt)
      for (const to of receipt.recipients) await sendSystemMail(app, tx, { to, ...mail })
      return true
    })
}

export const receiptMail = (
  { config }: { config: Pick<App['config'], 'publicUrl'> },
  { id, at, subject, lines }: Pick<ReceiptRow, 'id' | 'at' | 'subject' | 'lines'>,
): Mail =>
  compose({
    ...{ subject, greeting: 'Hello,', before: lines },
    button: { label: 'Open Mailstead', link: config.publicUrl },
    after: [`This is a receipt: ${id}, ${timeText(at)}. The operator has it, too; please keep it.`],
    reason: 'You get this mail because it concerns your account or your workspace.',
  })

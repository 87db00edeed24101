/** SPF, DKIM and DMARC of MAIL_HOST, which signs the mail of the installation itself. */
import { mailHostFaults } from '#server/features/domains/mail-host.ts'
import { publicSystemKeyOf } from '#server/features/outbox/send-system-mail.ts'
import { type Check, good, record, unknown, wrong } from './finding.ts'

export const checkRecords: Check = async (app) => {
  const { mailHost } = app.config
  const key = await publicSystemKeyOf(app.db, mailHost)
  const faults = (await mailHostFaults(app, key)).map(({ says, record: to, isKnown }) => {
    if (!isKnown) return unknown(says, 'Look at DNS_SERVERS, and check again.')
    if (to === null) return wrong(says, 'Correct SPF_INCLUDE, or the record of that name.')
    return wrong(says, 'Publish this record.', record(to.name, to.type, to.value))
  })
  if (key === null)
    faults.push(unknown(`${mailHost} has no key for its signatures yet.`, 'A start makes it.'))
  if (faults.length > 0) return faults
  return [good(`${mailHost} has the records SPF, DKIM and DMARC by which others believe its mail.`)]
}

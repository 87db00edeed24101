/** A mailbox whose sending was stopped by a burst of bounces, with an answer as long as they come. */
import { newId } from '#server/lib/ids.ts'
import { aMailbox, type Domain, letRead } from '#test-world/builders.ts'
import type { Person, Setting } from '../../specification/setting.ts'

export const fillStop = async (
  setting: Setting,
  { user, workspace }: Person,
  active: { _id: string; name: string },
): Promise<string> => {
  const { db, clock } = setting
  const { id: workspaceId } = workspace
  const domain = { ...active, id: active._id, workspaceId } as unknown as Domain
  const names = { firstName: 'Wolfeschlegelsteinhausen', lastName: 'Bergerdorffwelche' }
  const localPart = 'newsletter.of-the-northern-department'
  const mailbox = await aMailbox(setting, { domain, localPart, ...names })
  await letRead(setting, mailbox, user.id)
  const { id: mailboxId } = mailbox
  await db
    .insertInto('sendingStops')
    .values({
      ...{ id: newId(), mailboxId, workspaceId, stoppedAt: clock.now(), failed: 42, ended: 97 },
      example: `550-5.1.1 The email account that you tried to reach does not exist. 550 5.1.1 ${'unbroken'.repeat(12)} - gsmtp`,
      resumedAt: null,
    })
    .execute()
  return mailboxId
}

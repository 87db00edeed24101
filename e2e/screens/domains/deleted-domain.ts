import { domainToASCII } from 'node:url'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { aDomainWithRecords } from '../../specification/domain-rows.ts'
import type { Person, Setting } from '../../specification/setting.ts'

/** With a mailbox that was deleted before it, by a person with a long name. */
export const aDeletedDomain = async (
  setting: Setting,
  { workspace, user }: Person,
): Promise<string> => {
  const { db, clock } = setting
  const name = domainToASCII('rechenwerke-und-söhne.the-former-department.example')
  const domain = await aDomain(setting, { workspaceId: workspace.id, name, active: true })
  const mailbox = await aMailbox(setting, { domain, localPart: 'person.who-has-left' })
  const at = (days: number) => new Date(clock.now().getTime() + days * 86_400_000)
  const deletedBy = `${user.firstName} ${user.lastName} (${user.email})`
  const { id } = domain
  await db
    .updateTable('domains')
    .set({ deletedBy, endsAt: at(13) })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('mailboxes')
    .set({ deletedBy, endsAt: at(3) })
    .where('id', '=', mailbox.id)
    .execute()
  return id
}

/** Its name servers have not answered for a day; it has a long name. */
export const aSilentDomain = async (setting: Setting, { workspace }: Person): Promise<string> => {
  const name = 'a-client-whose-provider-is-down.engines.example'
  const given = { workspaceId: workspace.id, verified: true, active: true } as const
  const { id } = await aDomainWithRecords(setting, {
    ...{ ...given, name, states: 'verified', isSilent: true },
  })
  return id
}

/** A mailbox with a holder, read by others too, and a log with names as long as they come. */
import type { Browser, BrowserContextOptions } from '@playwright/test'
import type { Member } from '#contract/workspaces.ts'
import { aMailbox, type Domain } from '#test-world/builders.ts'
import { aHolder } from '#test-world/people/holders.ts'
import { type Account, PASSWORD } from '#test-world/trials/account.ts'
import type { Person, Setting } from '../../specification/setting.ts'

export const fillAccess = async (
  setting: Setting,
  member: Person,
  account: Account,
  active: { _id: string; name: string },
  { browser, options }: { browser: Browser; options: BrowserContextOptions },
): Promise<{ holder: Person; heldMailboxId: string }> => {
  const { workspace } = member
  const domain = { ...active, id: active._id, workspaceId: workspace.id } as unknown as Domain
  const names = { firstName: 'Wolfeschlegelsteinhausen', lastName: 'Bergerdorffwelche' }
  const localPart = 'secretary.of-the-northern-department.for-correspondence'
  const mailbox = await aMailbox(setting, { domain, localPart, ...names })
  const user = await aHolder(setting, mailbox, PASSWORD)
  const at = `/mailboxes/${mailbox.id}`
  const members: Member[] = await account.ask('GET', '/members')
  for (const { _id: userId } of members.filter(({ lastLoginAt }) => lastLoginAt === null))
    await account.ask('POST', `${at}/readers`, { userId })
  await account.ask('POST', `${at}/access/link`, {
    email: `${'maximiliane.'.repeat(5)}x@private.example`,
  })
  await account.ask('POST', `${at}/readers/me`, { reason: 'A customer waits '.repeat(11) })
  await account.ask('DELETE', `${at}/readers/${member.user.id}`)
  const context = await browser.newContext(options)
  const base = `${setting.product.url}/api/v1`
  const data = { email: mailbox.email, password: PASSWORD }
  await context.request.post(`${base}/auth/login`, { data })
  const call = () => Promise.reject(new Error('not needed'))
  const page = await context.newPage()
  const holder = { email: mailbox.email, user, workspace, context, page, call }
  return { holder, heldMailboxId: mailbox.id }
}

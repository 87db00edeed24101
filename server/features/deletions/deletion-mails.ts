/** Tells the Admins what was deleted, who did it, when it ends and how to take it back. Call in the transaction of the deletion. */
import type { App } from '#server/app.ts'
import { compose, isLikeALink, type Mail } from '#server/features/outbox/system-mail.ts'
import { dayOf, mailAdmins, mailboxesIn } from '#server/features/ownership/ownership-mails.ts'
import type { Db } from '#server/storage/database.ts'

type Deletion = { deletedBy: string; endsAt: Date; mailboxes: number }

const MOST_NAMES = 100
const UNEXPECTED = 'If you did not expect this, take it back, and ask the person who did it.'

export const mailDomainsDeleted = async (
  app: App,
  tx: Db,
  workspaceId: string,
  domains: readonly (Deletion & { name: string })[],
): Promise<void> => {
  const [first] = domains
  if (first === undefined) return
  const mail = domainsMail(domains, first, `${app.config.publicUrl}/dashboard/domains`)
  await mailAdmins(app, tx, workspaceId, mail)
}

const domainsMail = (
  domains: readonly (Deletion & { name: string })[],
  first: Deletion & { name: string },
  link: string,
): Mail => {
  const mailboxes = domains.reduce((sum, domain) => sum + domain.mailboxes, 0)
  const subject =
    domains.length === 1 ? `${first.name} was deleted` : `${domains.length} domains were deleted`
  const names = domains.slice(0, MOST_NAMES).map(({ name }) => name)
  const more = domains.length - names.length
  const what = domains.length === 1 ? `the domain ${first.name}` : `${domains.length} domains`
  return compose({
    subject,
    greeting: 'Hello,',
    before: [
      `${first.deletedBy} deleted ${what}, with ${mailboxesIn(mailboxes)}.`,
      ...(domains.length === 1
        ? []
        : [`${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`]),
      `${domains.length === 1 ? 'It ends' : 'They end'} on ${dayOf(first.endsAt)}. Until then mail still arrives and can be read, nothing can be sent, and an Admin can take ${domains.length === 1 ? 'it' : 'them'} back as ${domains.length === 1 ? 'it was' : 'they were'}. After that the mail is gone for good.`,
    ],
    button: { label: 'Take it back', link },
    after: [UNEXPECTED],
  })
}

export const mailWorkspaceDeleted = (
  app: App,
  tx: Db,
  workspace: Deletion & { id: string; name: string; domains: number },
): Promise<void> => {
  const { id, name, deletedBy, endsAt, mailboxes, domains } = workspace
  const called = isLikeALink(name) ? 'your workspace' : `the workspace “${name}”`
  const mail = compose({
    subject: 'Your workspace was deleted',
    greeting: 'Hello,',
    before: [
      `${deletedBy} deleted ${called}, with ${domains === 1 ? '1 domain' : `${domains} domains`} and ${mailboxesIn(mailboxes)}.`,
      `It ends on ${dayOf(endsAt)}. Until then everything works as before, nothing new is billed, and an Admin can take it back. After that its domains, mailboxes and mail are gone for good.`,
    ],
    button: { label: 'Take it back', link: `${app.config.publicUrl}/dashboard/settings` },
    after: [UNEXPECTED],
  })
  return mailAdmins(app, tx, id, mail)
}

/** Tells the Admins what was deleted, who did it, when it ends and how to take it back. Call in the transaction of the deletion. */
import type { App } from '#server/app.ts'
import { compose, type Mail, workspaceNamed } from '#server/features/outbox/system-mail.ts'
import { dayOf, mailAdmins, mailboxesIn } from '#server/features/ownership/ownership-mails.ts'
import type { Db } from '#server/storage/database.ts'

type Deletion = { deletedBy: string; endsAt: Date; mailboxes: number }

type DeletedWorkspace = Deletion & { name: string; domains: number }

const MOST_NAMES = 100
const ADMINS = 'You get this mail because you are an Admin of the workspace.'
const UNEXPECTED = 'If you did not expect this, take it back, and ask the person who did it.'

export const mailDomainsDeleted = async (
  app: App,
  tx: Db,
  workspaceId: string,
  domains: readonly (Deletion & { name: string })[],
): Promise<void> => {
  const [first] = domains
  if (first === undefined) return
  const mail = domainsDeletedMail(domains, first, `${app.config.publicUrl}/dashboard/domains`)
  await mailAdmins(app, tx, workspaceId, mail)
}

export const domainsDeletedMail = (
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
    preview: `${domains.length === 1 ? 'It' : 'They'} can be taken back until ${dayOf(first.endsAt)}.`,
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
    reason: ADMINS,
  })
}

export const mailWorkspaceDeleted = (
  app: App,
  tx: Db,
  workspace: DeletedWorkspace & { id: string },
): Promise<void> => {
  const link = `${app.config.publicUrl}/dashboard/settings`
  return mailAdmins(app, tx, workspace.id, workspaceDeletedMail(workspace, link))
}

export const workspaceDeletedMail = (
  { name, deletedBy, endsAt, mailboxes, domains }: DeletedWorkspace,
  link: string,
): Mail =>
  compose({
    subject: 'Your Mailstead workspace was deleted',
    preview: `It can be taken back until ${dayOf(endsAt)}.`,
    greeting: 'Hello,',
    before: [
      `${deletedBy} deleted ${workspaceNamed(name)}, with ${domains === 1 ? '1 domain' : `${domains} domains`} and ${mailboxesIn(mailboxes)}.`,
      `It ends on ${dayOf(endsAt)}. Until then everything works as before, nothing new is billed, and an Admin can take it back. After that its domains, mailboxes and mail are gone for good.`,
    ],
    button: { label: 'Take it back', link },
    after: [UNEXPECTED],
    reason: ADMINS,
  })

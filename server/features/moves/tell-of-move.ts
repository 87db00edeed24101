/** A move is written down in both workspaces, and their other Admins are told: who moves a domain gets at its mail. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { compose, isLikeALink, type Mail } from '#server/features/auth/accounts/mail-templates.ts'
import type { Who } from '#server/features/auth/who.ts'
import { tellAdmins } from '#server/features/domains/ownership/mails/tell-admins.ts'
import type { OwnWorkspace } from '#server/features/workspaces/own-workspace.ts'
import { memberOf, personOf } from '#server/features/workspaces/person-of.ts'
import { newId } from '#server/lib/ids.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import type { Db } from '#server/storage/database.ts'
import { insertMoveEntries } from './moves-store.ts'

type Moved = {
  domainName: string
  from: OwnWorkspace
  to: OwnWorkspace
}

export const tellOfMove = async (app: App, tx: Db, who: Who, moved: Moved): Promise<void> => {
  const { domainName, from, to } = moved
  const mover = await memberOf(tx, from.id, who.userId)
  if (!mover) throw new AppError('FORBIDDEN')
  const at = app.clock.now()
  const entry = { at, mailboxEmail: domainName, actor: personOf(mover) }
  const away = { workspaceId: from.id, kind: 'moved-away' as const, subject: to.name }
  const into = { workspaceId: to.id, kind: 'moved-in' as const, subject: from.name }
  await insertMoveEntries(tx, [
    { ...entry, ...away, id: newId() },
    { ...entry, ...into, id: newId() },
  ])
  const link = `${app.config.publicUrl}/dashboard/mailbox-access`
  for (const { id } of [from, to])
    await tellAdmins(app, tx, id, mailOf(moved, mover.email, link), mover.email)
}

const mailOf = ({ domainName, from, to }: Moved, moverEmail: string, link: string): Mail => {
  const name = toUnicodeDomain(domainName)
  return compose({
    subject: `${name} was moved to another workspace`,
    greeting: 'Hello,',
    before: [
      `${moverEmail} moved the domain ${name} from ${nameOf(from)} to ${nameOf(to)}, with its mailboxes and all of their mail.`,
      'Nobody signs in to these mailboxes any more until they are let in anew. The Admins of the other workspace may read this mail; who does is written down and comes back with the domain.',
    ],
    button: { label: 'Open the access log', link },
    after: ['If you did not expect this, ask the person who did it.'],
  })
}

const nameOf = ({ name }: OwnWorkspace): string =>
  isLikeALink(name) ? 'one workspace' : `the workspace “${name}”`

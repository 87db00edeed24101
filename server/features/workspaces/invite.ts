/** Invites a person to the workspace by one mail to the typed address. */
import { RESEND_COOLDOWN_SECONDS } from '#contract/auth.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import { INVITATION_DAYS, type Invitation } from '#contract/invitations.ts'
import type { Role } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import { accountEmail } from '#server/features/accounts/account-email.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { spendMailedLink } from '#server/features/limits/mailed-links.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, isLikeALink, type Mail } from '#server/features/outbox/system-mail.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { lockMembers } from './hold-right.ts'
import {
  findInviter,
  findOpenInvitation,
  type InvitationRow,
  insertInvitationLink,
  upsertInvitation,
} from './invitation-queries.ts'
import { toInvitation } from './invitations.ts'
import { requireOutside } from './member-emails.ts'
import { hasMemberWith } from './member-queries.ts'
import { isHoldersEmail } from './outside-store.ts'

const LIMITS = { kind: 'invitations', perUser: 100, perNetwork: 300 } as const

const ALREADY_MEMBER = 'This person is already in the workspace'
const HOLDER =
  'This person signs in to a mailbox with this address already. To let them read other mailboxes, use “Give it to” on the Access page of each; to make them a member, invite another address of theirs'

/**
 * One that waits for the same address is renewed: the new role counts, and it is mailed again. Says nothing about
 * whether the address has an account.
 * @throws VALIDATION on `email` for a member, and as requireOutside does; TOO_MANY_REQUESTS
 */
export const inviteMember = async (
  app: App,
  who: Who,
  form: { email: string; role: Role },
): Promise<Invitation & { isRenewed: boolean }> => {
  const email = accountEmail(form.email)
  if (await hasMemberWith(app.db, who.workspaceId, email))
    throw invalidField('email', ALREADY_MEMBER)
  if (await isHoldersEmail(app.db, who.workspaceId, email)) throw invalidField('email', HOLDER)
  await requireOutside(app.db, who, email)
  await allowMail(app, who, email)
  return inTransaction(app, async (tx) => {
    await lockMembers(tx, who)
    // Asked again behind the lock: they may have joined meanwhile.
    if (await hasMemberWith(tx, who.workspaceId, email)) throw invalidField('email', ALREADY_MEMBER)
    await requireOutside(tx, who, email)
    const id = newId()
    const sent = await send(app, tx, who, { id, email, role: form.role })
    return { ...toInvitation(sent), isRenewed: sent.id !== id }
  })
}

/** @throws NOT_EXISTS, TOO_MANY_REQUESTS, and as requireOutside does */
export const resendInvitation = async (app: App, who: Who, id: string): Promise<Invitation> => {
  const found = isId(id) ? await findOpenInvitation(app.db, who.workspaceId, id) : undefined
  if (!found) throw new AppError('NOT_EXISTS')
  await requireOutside(app.db, who, found.email)
  await allowMail(app, who, found.email)
  return inTransaction(app, async (tx) => {
    await lockMembers(tx, who)
    const invitation = await findOpenInvitation(tx, who.workspaceId, id)
    if (!invitation) throw new AppError('NOT_EXISTS')
    await requireOutside(tx, who, invitation.email)
    return toInvitation(await send(app, tx, who, invitation))
  })
}

const allowMail = (app: App, who: Who, email: string): Promise<void> => {
  const key = `invitation:${who.workspaceId}:${email}`
  const same = { key, cooldownSeconds: RESEND_COOLDOWN_SECONDS }
  return spendMailedLink(app, who, email, { ...LIMITS, same })
}

/** Links mailed before stay good until they run out: the mails may come in another order. */
const send = async (
  app: App,
  tx: Db,
  who: Who,
  { id, email, role }: Pick<InvitationRow, 'id' | 'email' | 'role'>,
): Promise<InvitationRow> => {
  const { workspaceId } = who
  const sentAt = app.clock.now()
  const expiresAt = secondsAfter(sentAt, INVITATION_DAYS * DAY_SECONDS)
  const invitation = await upsertInvitation(tx, {
    ...{ id, workspaceId, email, role, invitedBy: who.userId },
    ...{ sentAt, expiresAt, outcome: null, endedAt: null },
  })
  const token = randomToken()
  const invitationId = invitation.id
  await insertInvitationLink(tx, {
    tokenHash: hashToken(token),
    ...{ invitationId, workspaceId, expiresAt },
  })
  const inviter = await findInviter(tx, workspaceId, who.userId)
  const link = `${app.config.publicUrl}/invitation?token=${token}`
  const { workspaceName } = inviter
  const mail = invitationMail({ inviter: inviterName(inviter), workspaceName, role, link })
  await sendSystemMail(app, tx, { to: email, ...mail })
  await announceChange(tx, { topic: 'workspaces', workspaceId })
  const change = `invited as ${role}`
  logRight(app, tx, who, { what: 'invitation', objectId: invitationId, change, whose: email })
  return invitation
}

/** Their name, and their address, which alone is proven; no name that looks like a link. */
export const inviterName = ({ email, firstName, lastName }: Inviter): string => {
  const name = `${firstName} ${lastName}`.trim()
  return name === '' || isLikeALink(name) ? email : `${name} (${email})`
}

type Inviter = { email: string; firstName: string; lastName: string }
type Content = { inviter: string; workspaceName: string; role: Role; link: string }

/**
 * Mailed at a member's request to people who may not know Mailstead. So the subject contains no text that a user typed, the
 * member is named with their verified address, and a name that looks like a link is left out.
 */
export const invitationMail = ({ inviter, workspaceName, role, link }: Content): Mail =>
  compose({
    subject: 'You are invited to a workspace on Mailstead',
    preview: `${inviter} invites you to join as ${role}.`,
    greeting: 'Hello,',
    before: [`${inviter} invites you to join ${nameOf(workspaceName)} as ${role}.`],
    button: { label: 'Open the invitation', link },
    after: [
      `The link works once, for ${INVITATION_DAYS} days.`,
      'If you do not know who this is, you can ignore this mail.',
    ],
    reason: `You get this mail because ${inviter} invited this address.`,
  })

const nameOf = (name: string): string =>
  isLikeALink(name) ? 'their workspace' : `the workspace “${name}”`

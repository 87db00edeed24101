import type { Scope } from '#contract/mail/app-passwords.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { newId } from '#server/lib/ids.ts'
import { hashToken } from '#server/lib/secrets.ts'
import type { FoundHolder } from './app-passwords-store.ts'

/** A mail program that is signed in to a mailbox. */
export type SignIn = {
  /** `sessionId` is of no session: each sign-in of a program has one of its own. */
  who: Who
  mailboxId: string
  workspaceId: string
  /** The mailbox's own address, whatever was typed. */
  email: string
  scope: Scope
  /** null: the holder's own password. */
  appPasswordId: string | null
  /** What the holder's own password is known by; null for an app password. */
  ownPasswordMark: string | null
}

type How = { scope: Scope; ip: string; appPasswordId: string | null }

export const toSignIn = (
  found: Omit<FoundHolder, 'hasFactor' | 'firstName'>,
  { scope, ip, appPasswordId }: How,
): SignIn => {
  const { mailboxId, workspaceId, email, userId, role, passwordHash } = found
  return {
    who: { userId, sessionId: newId(), workspaceId, role: role ?? 'Holder', ip },
    ...{ mailboxId, workspaceId, email, scope, appPasswordId },
    ownPasswordMark: appPasswordId === null ? markOf(passwordHash) : null,
  }
}

/** Tells two passwords of one person apart, and is no use to anybody. */
export const markOf = (passwordHash: string | null): string =>
  hashToken(passwordHash ?? '').toString('base64')

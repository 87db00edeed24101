/**
 * The rights of each role of a workspace, and of a mailbox holder. The server refuses and the screens disable by this one
 * table.
 */
import { z } from 'zod'

export const role = z.enum(['Admin', 'Editor', 'User'])
export type Role = z.infer<typeof role>

/** A holder is not a member: they sign in with the address of one mailbox and see only that mailbox. */
export type CallerRole = Role | 'Holder'

const rights = {
  'see-workspace': ['Admin', 'Editor', 'User'],
  /** Mailboxes that the caller is a reader of. */
  'open-mailboxes': ['Admin', 'Editor', 'User', 'Holder'],
  'see-domains': ['Admin', 'Editor'],
  'manage-domains': ['Admin', 'Editor'],
  'see-mailboxes': ['Admin', 'Editor'],
  'manage-mailboxes': ['Admin', 'Editor'],
  'set-up-access': ['Admin', 'Editor'],
  'give-mailboxes': ['Admin'],
  'manage-billing': ['Admin'],
  'manage-members': ['Admin'],
  'manage-company': ['Admin'],
  'manage-webhooks': ['Admin'],
  'move-domains': ['Admin'],
  'delete-domains': ['Admin'],
  'delete-workspace': ['Admin'],
  /** Everything as one file, with the mail of every mailbox. */
  'export-workspace': ['Admin'],
  /** A mailbox that somebody signs in to, or was given to read. */
  'delete-used-mailboxes': ['Admin'],
  /** Ends for good what waits for its end. */
  'end-deleted': ['Admin'],
  'resume-sending': ['Admin'],
  /** API keys of the workspace; each person has their own besides. */
  'manage-keys': ['Admin'],
  'have-keys': ['Admin', 'Editor', 'User', 'Holder'],
  'see-audit-log': ['Admin'],
} as const satisfies Record<string, readonly CallerRole[]>

export type Right = keyof typeof rights

export const rolesThatCan = (right: Right): readonly CallerRole[] => rights[right]

export const memberCan = (role: CallerRole, right: Right): boolean =>
  rolesThatCan(right).includes(role)

/**
 * What each role of a workspace may do, and the holder of a mailbox. The server refuses and the screens grey out by this
 * one table.
 */
import { z } from 'zod'

export const role = z.enum(['Admin', 'Editor', 'User'])
export type Role = z.infer<typeof role>

/** A holder is no member: they sign in with the address of one mailbox, and see that mailbox alone. */
export type CallerRole = Role | 'Holder'

const rights = {
  'see-workspace': ['Admin', 'Editor', 'User'],
  /** Those that are theirs to read: which ones, the readers of each mailbox say. */
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
  'move-domains': ['Admin'],
  'resume-sending': ['Admin'],
} as const satisfies Record<string, readonly CallerRole[]>

export type Right = keyof typeof rights

export const memberCan = (role: CallerRole, right: Right): boolean =>
  (rights[right] as readonly CallerRole[]).includes(role)

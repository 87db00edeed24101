/** What each role of a workspace may do. The server refuses and the screens grey out by this one table. */
import { z } from 'zod'

export const role = z.enum(['Admin', 'Editor', 'User'])
export type Role = z.infer<typeof role>

const rights = {
  'see-workspace': ['Admin', 'Editor', 'User'],
  'see-domains': ['Admin', 'Editor'],
  'manage-domains': ['Admin', 'Editor'],
  'see-mailboxes': ['Admin', 'Editor'],
  'manage-mailboxes': ['Admin', 'Editor'],
  'manage-billing': ['Admin'],
  'manage-members': ['Admin'],
  'manage-company': ['Admin'],
  'move-domains': ['Admin'],
  'resume-sending': ['Admin'],
} as const satisfies Record<string, readonly Role[]>

export type Right = keyof typeof rights

export const memberCan = (role: Role, right: Right): boolean =>
  (rights[right] as readonly Role[]).includes(role)

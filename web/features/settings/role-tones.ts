import type { Role } from '#contract/rights.ts'
import type { Tone } from '#web/ui/data/badge.tsx'

export const roleTones = {
  Admin: 'accent',
  Editor: 'good',
  User: 'neutral',
} as const satisfies Record<Role, Tone>

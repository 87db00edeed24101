import type { Attack } from './attack.ts'
import { httpAttacks } from './http-attacks.ts'
import { smtpAttacks } from './smtp-attacks.ts'

export const allAttacks: Attack[] = [...httpAttacks, ...smtpAttacks]

/** Recovery codes as people write them down: 80 bits in four groups, without letters that look like digits. Pure. */
import { randomBytes } from 'node:crypto'
import { hashToken } from '#server/lib/secrets.ts'

/** Crockford's base 32, without I, L, O and U. */
const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz'
const SIGNS_IN_CODE = 16

export const newRecoveryCode = (): string => {
  const signs = [...randomBytes(SIGNS_IN_CODE)].map((byte) => SIGNS[byte % SIGNS.length]).join('')
  return signs.replace(/(.{4})(?!$)/g, '$1-')
}

/** However it is typed: capitals, spaces, and the letters that look like digits. null: no code looks like this. */
export const hashRecoveryCode = (typed: string): Buffer | null => {
  const signs = typed.toLowerCase().replace(/[\s-]/g, '').replace(/[il]/g, '1').replaceAll('o', '0')
  const isCode = signs.length === SIGNS_IN_CODE && [...signs].every((sign) => SIGNS.includes(sign))
  return isCode ? hashToken(`recovery code ${signs}`) : null
}

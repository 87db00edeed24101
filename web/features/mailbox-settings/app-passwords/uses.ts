import type { Scope } from '#contract/mail/app-passwords.ts'

const ONLY: Record<Scope, string> = { imap: 'Reading only', smtp: 'Sending only' }

/** What a password is for, in a few words. */
export const usesOf = (scopes: readonly Scope[]): string => {
  const [scope] = scopes
  return scopes.length === 1 && scope ? ONLY[scope] : 'Reading and sending'
}

import type { Defaulted, Optional } from './column-types.ts'

/** The authenticator app of a person, and what their mail programs were told. */
export type SecondFactorsTable = {
  userId: string
  /** Encrypted with SECRET; null: no authenticator app. */
  totpSealed: Optional<string>
  totpSince: Optional<Date>
  /** The step of 30 seconds of the last code: none is taken twice (RFC 6238 §5.2). */
  totpLastStep: Optional<number>
  /** Shown, and not confirmed yet by a code. */
  pendingSealed: Optional<string>
  pendingAt: Optional<Date>
  changedAt: Date
  /** Whether a mail said, since the change, that mail programs need an app password. */
  isProgramTold: Defaulted<boolean>
  /** The factors were reset, and no mail told the person yet. */
  isResetUntold: Defaulted<boolean>
}

export type PasskeysTable = {
  id: string
  userId: string
  /** base64url. */
  credentialId: string
  /** COSE. */
  publicKey: Buffer
  counter: number
  transports: string[]
  /** It may be on several devices; then its counter says nothing. */
  isSynced: boolean
  isBackedUp: boolean
  /** The host of PUBLIC_URL when it was made: it works for no other. */
  rpId: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

export type RecoveryCodesTable = {
  userId: string
  /** SHA-256 of 80 random bits. */
  codeHash: Buffer
  usedAt: Date | null
}

/** Browsers in which the password alone signs a person in. */
export type TrustedBrowsersTable = {
  id: string
  userId: string
  tokenHash: Buffer
  ip: string
  userAgent: string
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
}

/** What waits for a second factor or a passkey, for minutes and once. */
export type FactorChallengesTable = {
  tokenHash: Buffer
  purpose: 'sign-in' | 'passkey-sign-in' | 'new-passkey' | 'step-up'
  /** null: nobody has said yet who they are. */
  userId: string | null
  /** The browser that a sign-in by a passkey began in. */
  browserHash: Buffer | null
  /** How the first step of the sign-in was done. */
  signInBy: 'password' | 'google' | 'mailed-link' | 'invitation' | null
  /** base64url, for the passkey to sign. */
  passkeyChallenge: string
  expiresAt: Date
}

/** Who requires a second factor (decision 126). */
export type RequiredFactorsTable = {
  id: string
  /** null: the operator, of everybody (unique index). */
  workspaceId: string | null
  requiredAt: Date
  /** How many days a person may be without one: from then, or from when they came. */
  graceDays: number
  /** Those who have none were told by a mail; up to this id while they are being told. */
  isTold: Defaulted<boolean>
  toldUntil: Optional<string>
}

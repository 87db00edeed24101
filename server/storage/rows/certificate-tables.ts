import type { Defaulted, Optional } from './column-types.ts'

/** A name that is to have a certificate, and the one that it has. */
export type CertificatesTable = {
  /** A-labels, lower case. */
  name: string
  /** Of the installation itself: MAIL_HOST, or the host of PUBLIC_URL. */
  isOwn: boolean
  /** Of the domain; null for our own names. */
  workspaceId: string | null
  /** null: one of our own, or its domain has gone and the certificate is to be revoked. */
  domainId: string | null
  /** In PEM, without the root; null: it has none. */
  chain: Optional<string>
  /** Encrypted with the name as context. */
  keySealed: Optional<string>
  issuedAt: Optional<Date>
  expiresAt: Optional<Date>
  renewAt: Optional<Date>
  /** When the name is due: to be looked up, asked for, renewed or revoked. */
  nextLookAt: Date
  /** Afterwards another process may take it. */
  claimedUntil: Optional<Date>
  /** When the directory was last asked for it. */
  askedAt: Optional<Date>
  /** Consecutive refusals. */
  failures: Defaulted<number>
  /** Why it has none or is not renewed, as sentences; ''. */
  trouble: Defaulted<string>
  /** Why the certificate is to be revoked; null: it is not. */
  revocation: Optional<'keyCompromise' | 'superseded' | 'cessationOfOperation'>
  createdAt: Date
}

/** Our accounts at directories, one each. */
export type AcmeAccountsTable = {
  directoryUrl: string
  /** Encrypted with the URL of the directory as context. */
  keySealed: string
  /** null: not registered yet. */
  url: Optional<string>
  createdAt: Date
}

/** What a directory finds when it looks whether a name leads here. */
export type AcmeAnswersTable = {
  token: string
  name: string
  keyAuthorization: string
  expiresAt: Date
}

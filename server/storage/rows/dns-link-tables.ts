/** One until it is revoked; it opens until it expires. */
export type DnsLinksTable = {
  id: string
  workspaceId: string
  domainId: string
  tokenHash: Buffer
  createdBy: string | null
  createdAt: Date
  expiresAt: Date
  /** To the minute. */
  openedAt: Date | null
  /** The address that it was mailed to last. */
  sentTo: string | null
}

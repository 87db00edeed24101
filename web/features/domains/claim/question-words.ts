/** What is in question about a domain, in a sentence. */
import type { DomainOwnership, ReleasedDomain } from '#contract/dns/claims.ts'
import { formatDate } from '#web/lib/format.ts'

export const questionOf = ({ claims, missing, ownClaim }: DomainOwnership): string => {
  const [claim] = claims.toSorted((a, b) => a.decidesAt.localeCompare(b.decidesAt))
  if (claim && !claim.isHolderProven)
    return `Claimed by another workspace, and goes there on ${formatDate(claim.decidesAt)} unless its record is back.`
  if (missing)
    return missing.isSendingStopped
      ? `Its ownership record is missing, so sending has stopped. Released on ${formatDate(missing.releasesAt)}.`
      : `Its ownership record is missing. Sending stops on ${formatDate(missing.sendingStopsAt)}.`
  if (claim) return `Claimed by another workspace. Your record is in DNS, so it stays here.`
  if (ownClaim?.outcome === null)
    return ownClaim.isHolderProven
      ? `You have claimed it. The workspace that holds it still has its own record in DNS.`
      : `You have claimed it. It becomes yours on ${formatDate(ownClaim.decidesAt)} unless the workspace that holds it objects.`
  return 'Your claim has ended, and another workspace holds it.'
}

export const releaseOf = ({ reason, releasedAt, mailboxes }: ReleasedDomain): string => {
  const gone = mailboxes === 0 ? '' : ' Its mailboxes were deleted with their mail.'
  return reason === 'claimed'
    ? `Went to another workspace, which had claimed it, on ${formatDate(releasedAt)}.${gone}`
    : `Released on ${formatDate(releasedAt)}, since its ownership record stayed missing.${gone} It can be added again.`
}

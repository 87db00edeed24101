/** On the page of one domain, at every step: a missing proof, and claims from either side. */
import type { DomainOwnership } from '#contract/dns/claims.ts'
import { ClaimedNotice } from './claimed-notice.tsx'
import { MissingNotice } from './missing-notice.tsx'
import { OwnClaimNotice } from './own-claim-notice.tsx'

/** Nothing for nearly every domain. */
export function OwnershipNotices({ ownership }: { ownership: DomainOwnership }) {
  const { missing, claims, ownClaim } = ownership
  return (
    <>
      {claims.map((claim) => (
        <ClaimedNotice key={claim._id} ownership={ownership} claim={claim} />
      ))}
      {missing && claims.every(({ isHolderProven }) => isHolderProven) && (
        <MissingNotice ownership={ownership} missing={missing} />
      )}
      {ownClaim && <OwnClaimNotice ownership={ownership} claim={ownClaim} />}
    </>
  )
}

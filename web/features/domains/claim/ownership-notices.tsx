/** On the page of one domain, at every step: a missing proof, and claims from either side. */
import { getOwnership } from '#contract/dns/claims.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { ClaimedNotice } from './claimed-notice.tsx'
import { MissingNotice } from './missing-notice.tsx'
import { OwnClaimNotice } from './own-claim-notice.tsx'

/** Nothing for nearly every domain, nor while it is being read. */
export function OwnershipNotices({ domainId }: { domainId: string }) {
  const { data } = useApi(getOwnership, { params: { id: domainId } })
  if (!data) return null
  const { missing, claims, ownClaim } = data
  return (
    <>
      {claims.map((claim) => (
        <ClaimedNotice key={claim._id} ownership={data} claim={claim} />
      ))}
      {missing && claims.every(({ isHolderProven }) => isHolderProven) && (
        <MissingNotice ownership={data} missing={missing} />
      )}
      {ownClaim && <OwnClaimNotice ownership={data} claim={ownClaim} />}
    </>
  )
}

/** On the page of a domain and in its wizard: a missing proof, and claims by and against this workspace. */

import { useState } from 'react'
import {
  type ClaimOnDomain,
  type DomainOwnership,
  getOwnership,
  type MissingProof,
} from '#contract/dns/claims.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Moment, Notice, RecordLine } from './notice.tsx'
import { OwnClaimNotice } from './own-claim-notice.tsx'
import { ReleaseDialog } from './ownership-issues.tsx'

/** Renders nothing for nearly every domain. */
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

type MissingNoticeProps = { ownership: DomainOwnership; missing: MissingProof }

/** This workspace holds the domain, and its ownership record is not in DNS. */
export function MissingNotice({ ownership, missing }: MissingNoticeProps) {
  const { unicodeName, record, mailboxes } = ownership
  return (
    <Notice
      tone="bad"
      title={
        missing.isSendingStopped
          ? `Sending from ${unicodeName} has stopped`
          : `The ownership record of ${unicodeName} is missing`
      }
    >
      <p>
        {missing.isSendingStopped
          ? 'The record that proves that this domain is yours has been missing for a week, so nothing is sent from it. Mail still arrives.'
          : 'The record that proves that this domain is yours is not in DNS. Everything works for now.'}
      </p>
      <ul className="grid list-disc gap-1 pl-5">
        {!missing.isSendingStopped && (
          <li>
            <Moment iso={missing.sendingStopsAt} />: sending stops, mail still arrives.
          </li>
        )}
        <li>
          <Moment iso={missing.releasesAt} />: the domain is released
          {mailboxes > 0 && ', and its mailboxes are deleted with their mail'}.
        </li>
      </ul>
      <p>
        Publish this TXT record again. As soon as we find it, everything works as before; Verify
        checks at once.
      </p>
      <RecordLine label="Ownership record" {...record} />
    </Notice>
  )
}

type ClaimedNoticeProps = { ownership: DomainOwnership; claim: ClaimOnDomain }

/** This workspace holds the domain, and another workspace has proven it too. */
export function ClaimedNotice({ ownership, claim }: ClaimedNoticeProps) {
  const { unicodeName, record, mailboxes } = ownership
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Notice
      tone={claim.isHolderProven ? 'warn' : 'bad'}
      title={`Another workspace has claimed ${unicodeName}`}
      actions={
        <Button variant="secondary" onClick={() => setIsAsking(true)}>
          Release it now
        </Button>
      }
    >
      {claim.isHolderProven ? (
        <p>
          It published its own ownership record. Yours is in DNS too, and as long as it is, the
          domain stays here: leave this record in place, and the claim ends on{' '}
          <Moment iso={claim.decidesAt} />.
        </p>
      ) : (
        <p>
          It published its own ownership record, and yours is not in DNS. Unless yours is back by
          then, the domain goes to that workspace on <Moment iso={claim.decidesAt} />
          {mailboxes > 0 && ', and your mailboxes are deleted with their mail'}. To keep it, publish
          this TXT record:
        </p>
      )}
      <RecordLine label="Your ownership record" {...record} />
      <p>The other workspace never sees your mailboxes or mail, whatever happens to the domain.</p>
      {isAsking && <ReleaseDialog ownership={ownership} onClose={() => setIsAsking(false)} />}
    </Notice>
  )
}

/** Loaded with the domain, so that the page does not jump. When it cannot be loaded, the page works without it. */
export const useDomainOwnership = (id: string | null) => {
  const { data, isError } = useApi(
    getOwnership,
    { params: { id: id ?? '' } },
    { enabled: id !== null },
  )
  return { data, isPending: id !== null && data === undefined && !isError }
}

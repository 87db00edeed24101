import { useState } from 'react'
import type { ClaimOnDomain, DomainOwnership } from '#contract/dns/claims.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Moment } from './moment.tsx'
import { Notice } from './notice.tsx'
import { RecordLine } from './record-line.tsx'
import { ReleaseDialog } from './release-dialog.tsx'

type ClaimedNoticeProps = { ownership: DomainOwnership; claim: ClaimOnDomain }

/** The domain is held here, and another workspace has proven it too. */
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

import type { DomainOwnership, MissingProof } from '#contract/dns/claims.ts'
import { Moment } from './moment.tsx'
import { Notice } from './notice.tsx'
import { RecordLine } from './record-line.tsx'

type MissingNoticeProps = { ownership: DomainOwnership; missing: MissingProof }

/** The domain is held here, and its record is not in DNS. */
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

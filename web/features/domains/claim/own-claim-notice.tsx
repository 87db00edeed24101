import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  type ClaimOutcome,
  type DomainOwnership,
  getOwnership,
  type OwnClaim,
  withdrawClaim,
} from '#contract/dns/claims.ts'
import { keyOf, useCall } from '#web/lib/api/use-api.ts'
import { formatMoment } from '#web/lib/format.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Moment, Notice, RecordLine } from './notice.tsx'

type OwnClaimNoticeProps = { ownership: DomainOwnership; claim: OwnClaim }

/** This workspace has proven a domain that another workspace holds: what happens, and when. */
export function OwnClaimNotice({ ownership, claim }: OwnClaimNoticeProps) {
  const { unicodeName, domainId } = ownership
  if (claim.outcome !== null && claim.outcome !== 'won')
    return (
      <Notice tone="warn" title={`Your claim on ${unicodeName} has ended`}>
        <p>
          {claim.endedAt && (
            <>
              <LocalTime at={claim.endedAt} format={formatMoment} />:{' '}
            </>
          )}
          {ended[claim.outcome]}
        </p>
        {claim.outcome === 'both-proven' && <OtherRecord ownership={ownership} claim={claim} />}
      </Notice>
    )
  if (claim.outcome === 'won') return null
  return (
    <Notice
      tone="warn"
      title={`You have claimed ${unicodeName}`}
      actions={<WithdrawButton domainId={domainId} />}
    >
      <p>
        Your ownership record was found, but another workspace holds this domain. Its Admins have
        been notified by mail.
      </p>
      {claim.isHolderProven ? (
        <>
          <p>
            Its own record is in DNS beside yours. As long as it is, the domain stays there, and
            your claim ends on <Moment iso={claim.decidesAt} />.
          </p>
          <OtherRecord ownership={ownership} claim={claim} />
        </>
      ) : (
        <p>
          The domain becomes yours on <Moment iso={claim.decidesAt} />, unless that workspace
          publishes its own record again by then. It may also release the domain earlier.
        </p>
      )}
      <p>
        Leave your record where it is: it is checked again on that day. The domain starts empty
        here; mailboxes and mail of the other workspace are not passed on.
      </p>
    </Notice>
  )
}

function OtherRecord({ ownership, claim }: OwnClaimNoticeProps) {
  if (claim.otherRecord === null) return null
  return (
    <>
      <p>
        If the domain should be yours, remove this record of the other workspace and leave yours.
        That workspace then has at least two days to object.
      </p>
      <RecordLine
        label="Record of the other workspace"
        name={ownership.record.name}
        value={claim.otherRecord}
      />
    </>
  )
}

function WithdrawButton({ domainId }: { domainId: string }): ReactNode {
  const client = useQueryClient()
  const withdraw = useCall(withdrawClaim, {
    onSuccess: (ownership) => {
      client.setQueryData(keyOf(getOwnership, { params: { id: domainId } }), ownership)
    },
    onError: (error) => toastError(error.message),
  })
  return (
    <Button
      variant="secondary"
      isPending={withdraw.isPending}
      onClick={() => withdraw.mutate({ params: { id: domainId } })}
    >
      {withdraw.isPending ? 'Withdrawing...' : 'Withdraw claim'}
    </Button>
  )
}

const ended: Record<Exclude<ClaimOutcome, 'won'>, string> = {
  withdrawn: 'you withdrew it. Press Verify to claim the domain again.',
  'both-proven':
    'the record of the workspace that holds the domain is in DNS beside yours, so the domain stays there.',
  lapsed:
    'your ownership record was not in DNS when the time came. Publish it, then press Verify to claim the domain again.',
  overtaken:
    'a third workspace held the domain by then. Press Verify to claim it from that workspace.',
}

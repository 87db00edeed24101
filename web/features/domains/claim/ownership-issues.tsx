/** Above the list of domains: those that may be lost, those that are claimed, and those that were lost lately. */
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { endDeleted } from '#contract/deletions.ts'
import { type DomainOwnership, listOwnership, type ReleasedDomain } from '#contract/dns/claims.ts'
import { deleteDomain } from '#contract/domains.ts'
import { NameField } from '#web/deletions/delete-dialog.tsx'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useMay } from '#web/lib/api/use-can.ts'
import { formatCount, formatDate } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

/**
 * Renders nothing when no domain is in doubt. Delays its children until that is known, so that they do not jump; a failed
 * request does not delay them.
 */
export function OwnershipIssues({ children }: { children: ReactNode }) {
  const { data, isPending, isFetching } = useApi(
    listOwnership,
    {},
    { enabled: useMay('see-domains') },
  )
  if (isPending && isFetching) return null
  return (
    <>
      {data && data.domains.length + data.released.length > 0 && <OwnershipCard {...data} />}
      {children}
    </>
  )
}

type OwnershipCardProps = { domains: DomainOwnership[]; released: ReleasedDomain[] }

function OwnershipCard({ domains, released }: OwnershipCardProps) {
  return (
    <Card className="overflow-hidden">
      <section aria-label="Ownership">
        <h2 className="px-5 pt-4 pb-2 font-semibold text-sm">Ownership</h2>
        <ul className="divide-y divide-line border-line border-t">
          {domains.map((ownership) => (
            <li key={ownership.domainId}>
              <Link
                to={paths.domain(ownership.domainId)}
                className="flex items-center gap-3 px-5 py-3 hover:bg-hover"
              >
                <DomainText name={ownership.unicodeName} text={issueText(ownership)} />
                <ChevronRight className="size-4 shrink-0 text-soft" aria-hidden />
              </Link>
            </li>
          ))}
          {released.map((domain) => (
            <li key={domain._id} className="px-5 py-3">
              <DomainText name={domain.unicodeName} text={releaseText(domain)} />
            </li>
          ))}
        </ul>
      </section>
    </Card>
  )
}

/** Says in a sentence who may get or lose a domain. */
export const issueText = ({ claims, missing, ownClaim }: DomainOwnership): string => {
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

export const releaseText = ({ reason, releasedAt, mailboxes }: ReleasedDomain): string => {
  const mailboxText = mailboxes === 0 ? '' : ' Its mailboxes were deleted with their mail.'
  return reason === 'claimed'
    ? `Went to another workspace, which had claimed it, on ${formatDate(releasedAt)}.${mailboxText}`
    : `Released on ${formatDate(releasedAt)}, since its ownership record stayed missing.${mailboxText} It can be added again.`
}

function DomainText({ name, text }: { name: string; text: string }) {
  return (
    <span className="grid min-w-0 flex-1 gap-0.5">
      <span dir="auto" className="wrap-anywhere text-left font-medium text-sm">
        {name}
      </span>
      <span className="text-pretty text-sm text-soft">{text}</span>
    </span>
  )
}

type ReleaseDialogProps = { ownership: DomainOwnership; onClose: () => void }

/** Deletes the domain. The workspace that has claimed and proven it gets the name and nothing else. */
export function ReleaseDialog({ ownership, onClose }: ReleaseDialogProps) {
  const { domainId, unicodeName, mailboxes } = ownership
  const params = { id: domainId }
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const fail = (error: Error) => toastError(messageOf(error))
  const end = useCall(endDeleted, {
    onSuccess: async () => {
      await navigate(paths.domains())
      toast({ title: 'Domain released', description: unicodeName, variant: 'success' })
    },
    onError: fail,
  })
  // Deleted first, and ended at once: the other workspace is waiting for it.
  const remove = useCall(deleteDomain, {
    onSuccess: () => end.mutateAsync({ params, body: { name: typed.trim() } }),
    onError: fail,
  })
  const isPending = remove.isPending || end.isPending
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}
      title={`Release ${unicodeName}?`}
      description={`It leaves this workspace and goes to the one that has claimed it. ${lossText(mailboxes)} This cannot be undone.`}
      confirmText={isPending ? 'Releasing...' : 'Release domain'}
      isPending={isPending}
      isReady={typed.trim().toLowerCase() === unicodeName.toLowerCase()}
      onConfirm={() => remove.mutate({ params })}
    >
      <div className="mt-4">
        <NameField name={unicodeName} typed={typed} onType={setTyped} />
      </div>
    </ConfirmDialog>
  )
}

const lossText = (mailboxes: number): string =>
  mailboxes === 0
    ? 'It has no mailboxes.'
    : mailboxes === 1
      ? 'Its mailbox and all mail in it are deleted, and no other workspace can see them.'
      : `Its ${formatCount(mailboxes)} mailboxes and all mail in them are deleted, and no other workspace can see them.`

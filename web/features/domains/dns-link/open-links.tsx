import { Mail, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { DnsLink } from '#contract/dns/links.ts'
import { formatAgo, formatMoment } from '#web/lib/format.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { MailLinkForm } from './link-forms.tsx'
import { useLinks, useRevokeLink } from './use-links.ts'

type OpenLinksProps = {
  domainId: string
  /** The link that was just made here; null when none was. */
  newest: string | null
}

export function OpenLinks({ domainId, newest }: OpenLinksProps) {
  const links = useLinks(domainId)
  const all = links.data
  return (
    <section aria-labelledby="open-links" className="grid gap-3">
      <h3 id="open-links" aria-live="polite" className="font-semibold text-sm tabular-nums">
        {all ? `Open links: ${all.length}` : 'Open links'}
      </h3>
      {links.isPending && <Skeleton className="h-24 w-full rounded-card" />}
      {links.isError && !all && (
        <ErrorState
          title="Error loading the links"
          description={links.error.message}
          onRetry={() => links.refetch()}
        />
      )}
      {all?.length === 0 && (
        <p className="text-soft text-sm">Links that you make are listed here until they expire.</p>
      )}
      {all && all.length > 0 && (
        <ul className="grid gap-3">
          {all.map((link) => (
            <OpenLink
              key={link._id}
              domainId={domainId}
              link={link}
              takesFocus={link._id === newest}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

type OpenLinkProps = { domainId: string; link: DnsLink; takesFocus: boolean }

/** One link: what it is, who made and opened it, and what can be done with it. */
export function OpenLink({ domainId, link, takesFocus }: OpenLinkProps) {
  const [isMailing, setIsMailing] = useState(false)
  const [wasMailing, setWasMailing] = useState(false)
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (takesFocus) item.current?.querySelector('button')?.focus()
  }, [takesFocus])
  const stopMailing = () => {
    setIsMailing(false)
    setWasMailing(true)
  }
  return (
    <li ref={item} className="grid gap-3 rounded-card border border-line p-4">
      <div className="flex min-w-0 items-center gap-2">
        <p className="min-w-0 flex-1 truncate font-mono text-xs" title={link.url}>
          {link.url}
        </p>
        <CopyButton text={link.url} label="Copy link" className="shrink-0" />
      </div>
      <Facts link={link} />
      {isMailing ? (
        <MailLinkForm domainId={domainId} link={link} onClose={stopMailing} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            size="small"
            // The form that took its place had the focus.
            autoFocus={wasMailing}
            onClick={() => setIsMailing(true)}
          >
            <Mail aria-hidden />
            Send by mail
          </Button>
          <RevokeButton link={link} />
        </div>
      )}
    </li>
  )
}

function Facts({ link }: { link: DnsLink }) {
  const { createdAt, expiresAt, openedAt, createdBy, sentTo } = link
  return (
    <p className="wrap-anywhere text-soft text-xs">
      Expires <Moment at={expiresAt} />. Made <Moment at={createdAt} />
      {createdBy && ` by ${createdBy}`}
      {sentTo && `, sent to ${sentTo}`}.{' '}
      {openedAt ? (
        <>
          Last opened <Moment at={openedAt} />.
        </>
      ) : (
        'Not opened yet.'
      )}
    </p>
  )
}

/** The clock of the server may be a little ahead of ours. */
function Moment({ at }: { at: string }) {
  const now = useNow(30_000)
  const distance = now - new Date(at).getTime()
  return (
    <LocalTime
      at={at}
      format={() => (Math.abs(distance) < 45_000 ? 'just now' : formatAgo(at, now))}
      title={formatMoment}
    />
  )
}

function RevokeButton({ link }: { link: DnsLink }) {
  const [isAsking, setIsAsking] = useState(false)
  const revoke = useRevokeLink()
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden />
        Revoke
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !revoke.isPending && setIsAsking(false)}
        title="Revoke this link?"
        description="It stops working for everybody who has it. You can make a new one."
        confirmText={revoke.isPending ? 'Revoking...' : 'Revoke'}
        isPending={revoke.isPending}
        onConfirm={() =>
          revoke.mutate({ params: { id: link._id } }, { onSettled: () => setIsAsking(false) })
        }
      />
    </>
  )
}

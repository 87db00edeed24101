import { Mail, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { DnsLink } from '#contract/dns/links.ts'
import { formatCount } from '#web/lib/format.ts'
import { Ago } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { MailLinkForm } from './link-forms.tsx'
import { type Linked, useLinks, useRevokeLink } from './use-links.ts'

type OpenLinksProps = {
  linked: Linked
  /** Id of the link that was just created here; null: none. */
  newest: string | null
}

export function OpenLinks({ linked, newest }: OpenLinksProps) {
  const links = useLinks(linked)
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
            <OpenLink key={link._id} linked={linked} link={link} takesFocus={link._id === newest} />
          ))}
        </ul>
      )}
    </section>
  )
}

type OpenLinkProps = { linked: Linked; link: DnsLink; takesFocus: boolean }

/** One link: its URL, who created it, when it was opened, and its actions. */
export function OpenLink({ linked, link, takesFocus }: OpenLinkProps) {
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
        <MailLinkForm linked={linked} link={link} onClose={stopMailing} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            size="small"
            // The form that this button replaces had the focus.
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
  const { createdAt, expiresAt, openedAt, createdBy, sentTo, domains } = link
  return (
    <p className="wrap-anywhere text-soft text-xs">
      {domains.length > 1 && `${namesOf(domains)}. `}
      Expires <Ago at={expiresAt} mayCome />. Made <Ago at={createdAt} />
      {createdBy && ` by ${createdBy}`}
      {sentTo && `, sent to ${sentTo}`}.{' '}
      {openedAt ? (
        <>
          Last opened <Ago at={openedAt} />.
        </>
      ) : (
        'Not opened yet.'
      )}
    </p>
  )
}

const NAMED = 3

const namesOf = (domains: readonly string[]): string => {
  const more = domains.length - NAMED
  const named = domains.slice(0, NAMED).join(', ')
  return `${formatCount(domains.length)} domains: ${named}${more > 0 ? ` and ${formatCount(more)} more` : ''}`
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

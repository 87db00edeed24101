/** Other addresses of a mailbox, for members who may change them. */

import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { type Alias, MAX_ALIASES } from '#contract/mail/aliases.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { AddAliasForm } from './add-alias-form.tsx'
import { useAliases, useRemoveAlias } from './use-aliases.ts'

export function AliasesCard({ mailbox }: { mailbox: Mailbox }) {
  const aliases = useAliases(mailbox._id)
  const all = aliases.data
  const list = useRef<HTMLElement>(null)
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title="Aliases"
        description="Other addresses whose mail lands in this mailbox. Messages can be sent from them too."
      />
      {aliases.isError && !all ? (
        <ErrorState
          title="The aliases could not be loaded"
          description={aliases.error.message}
          onRetry={() => void aliases.refetch()}
          className="py-8"
        />
      ) : all ? (
        <section ref={list} tabIndex={-1} aria-label="Aliases" className="grid gap-5 px-5 pb-5">
          {all.length === 0 ? (
            <p className="text-soft text-sm">No aliases yet. Add the first one below.</p>
          ) : (
            <ul className="grid divide-y divide-line rounded-card border border-line">
              {all.map((alias) => (
                <AliasRow
                  key={alias._id}
                  mailbox={mailbox}
                  alias={alias}
                  onRemoved={() => list.current?.focus()}
                />
              ))}
            </ul>
          )}
          {all.length < MAX_ALIASES ? (
            <AddAliasForm key={mailbox._id} mailbox={mailbox} />
          ) : (
            <p className="text-soft text-sm">
              A mailbox has at most {MAX_ALIASES} aliases. Remove one to add another.
            </p>
          )}
        </section>
      ) : (
        <div role="status" className="grid gap-5 px-5 pb-5">
          <span className="sr-only">Loading the aliases</span>
          <Skeleton className="h-12 w-full" />
          <Skeleton className="h-16 w-full" />
        </div>
      )}
    </Card>
  )
}

type AliasRowProps = { mailbox: Mailbox; alias: Alias; onRemoved: () => void }

export function AliasRow({ mailbox, alias, onRemoved }: AliasRowProps) {
  const [isAsking, setIsAsking] = useState(false)
  const remove = useRemoveAlias(mailbox._id, alias)
  const confirm = () =>
    remove.mutate(
      { params: { id: mailbox._id, aliasId: alias._id } },
      { onSettled: () => setIsAsking(false), onSuccess: onRemoved },
    )
  return (
    <li className="flex min-w-0 items-center gap-2 py-1.5 pr-2 pl-4">
      <span className="wrap-anywhere min-w-0 flex-1 text-sm">{alias.email}</span>
      <CopyButton text={alias.email} label={`Copy ${alias.email}`} className="shrink-0" />
      <Button
        variant="quiet"
        size="iconSmall"
        aria-label={`Remove ${alias.email}`}
        onClick={() => setIsAsking(true)}
      >
        <Trash2 aria-hidden />
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !remove.isPending && setIsAsking(false)}
        title={`Remove ${alias.email}?`}
        description={`Mail to this address no longer arrives in ${mailbox.email}, and nothing can be sent from this address. Mail that has arrived stays.`}
        confirmText={remove.isPending ? 'Removing...' : 'Remove alias'}
        isPending={remove.isPending}
        onConfirm={confirm}
      />
    </li>
  )
}

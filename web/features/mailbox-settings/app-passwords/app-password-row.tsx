import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AppPassword, endAppPassword, listAppPasswords } from '#contract/mail/app-passwords.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { keyOf, useCall } from '#web/lib/api/use-api.ts'
import { formatDate, formatMoment } from '#web/lib/format.ts'
import { formatEnd } from '#web/lib/time/end-of-day.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Ago, LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { usesOf } from './uses.ts'

type AppPasswordRowProps = { mailbox: Mailbox; password: AppPassword; onEnded: () => void }

export function AppPasswordRow({ mailbox, password, onEnded }: AppPasswordRowProps) {
  const { name, scopes, createdAt, expiresAt } = password
  const [isAsking, setIsAsking] = useState(false)
  const [isOver] = useState(() => expiresAt !== null && new Date(expiresAt).getTime() <= Date.now())
  const end = useEnd(mailbox, password)
  const confirm = () =>
    end.mutate(
      { params: { id: mailbox._id, appPasswordId: password._id } },
      { onSettled: () => setIsAsking(false), onSuccess: onEnded },
    )
  return (
    <li className="flex min-w-0 items-center gap-3 py-3 pr-2 pl-4">
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span dir="auto" className="wrap-anywhere min-w-0 font-medium text-sm">
            {name}
          </span>
          {isOver ? <Badge tone="warn">Expired</Badge> : <Badge>{usesOf(scopes)}</Badge>}
        </p>
        <LastUse password={password} />
        <p className="text-soft text-xs">
          Made <LocalTime at={createdAt} format={formatDate} title={formatMoment} />
          {expiresAt && (
            <>
              {isOver ? ', ended ' : ', ends '}
              <LocalTime at={expiresAt} format={formatEnd} />
            </>
          )}
        </p>
      </div>
      <Button
        variant="quiet"
        size="small"
        aria-label={`End ${name}`}
        onClick={() => setIsAsking(true)}
      >
        End
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !end.isPending && setIsAsking(false)}
        title={`End ${name}?`}
        description={`The program that uses it is signed out at once and can neither read nor send mail of ${mailbox.email}. Mail that it has already loaded stays on the device.`}
        confirmText={end.isPending ? 'Ending...' : 'End app password'}
        isPending={end.isPending}
        onConfirm={confirm}
      />
    </li>
  )
}

function LastUse({ password }: { password: AppPassword }) {
  const { lastUsedAt, lastUsedIp, lastUsedFor, lastProgram } = password
  if (lastUsedAt === null) return <p className="text-soft text-xs">Never used</p>
  const where = [lastProgram, lastUsedIp].filter(Boolean).join(', ')
  return (
    <p className="wrap-anywhere text-xs">
      {lastUsedFor === 'smtp' ? 'Sent mail ' : 'Signed in '}
      <Ago at={lastUsedAt} />
      {where && (
        <>
          {lastProgram ? ' with ' : ' from '}
          <bdi>{where}</bdi>
        </>
      )}
    </p>
  )
}

function useEnd(mailbox: Mailbox, { _id, name }: AppPassword) {
  const client = useQueryClient()
  const key = keyOf(listAppPasswords, { params: { id: mailbox._id } })
  const drop = () =>
    client.setQueryData<AppPassword[]>(key, (known) => known?.filter((each) => each._id !== _id))
  return useCall(endAppPassword, {
    onSuccess: () => {
      toast({ title: 'App password ended', description: name, variant: 'success' })
      drop()
    },
    onError: (error) => {
      toastError(messageOf(error))
      // It was ended in another window.
      if (error.type === 'NOT_EXISTS') drop()
    },
  })
}

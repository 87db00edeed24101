/** Everything of the workspace as one file: asked for with the password, made in the background, and kept for a week. */
import { Download } from 'lucide-react'
import { useState } from 'react'
import {
  askWorkspaceExport,
  downloadWorkspaceExport,
  EXPORT_DAYS,
  linkToWorkspaceExport,
  listWorkspaceExports,
  removeWorkspaceExport,
  type WorkspaceExport,
} from '#contract/mail/workspace-exports.ts'
import { API_PREFIX } from '#contract/route.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { addressOf } from '#web/lib/api/client.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatBytes, formatCount, formatDate } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Card } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Progress } from '#web/ui/data/progress.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { PasswordField } from '#web/ui/form/password-input.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

const LOOK_MS = 1_000

const isGoingOn = ({ state }: WorkspaceExport): boolean =>
  state === 'waiting' || state === 'running'

export function ExportCard() {
  const [isAsking, setIsAsking] = useState(false)
  const { data, error, refetch } = useApi(
    listWorkspaceExports,
    {},
    { refetchInterval: ({ state }) => (state.data?.some(isGoingOn) ? LOOK_MS : false) },
  )
  return (
    <Card>
      <section aria-label="Export everything" className="grid gap-4 px-5 py-4">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
            <h2 className="font-medium text-sm">Export everything</h2>
            <p className="wrap-anywhere text-pretty text-soft text-sm">
              One zip file of the domains and DNS records, mailboxes, people, settings, invoices and
              all mail of the workspace. It is kept for {EXPORT_DAYS} days, and only Admins can
              download it.
            </p>
          </div>
          <Button
            variant="secondary"
            disabled={data === undefined || data.some(isGoingOn)}
            onClick={() => setIsAsking(true)}
          >
            Export everything
          </Button>
        </div>
        {data ? (
          data.map((each) => <ExportRow key={each._id} made={each} />)
        ) : error ? (
          <ErrorState
            title="Error loading the exports"
            description={error.message}
            onRetry={() => void refetch()}
            className="py-6"
          />
        ) : (
          <Skeleton className="h-6 w-full" />
        )}
      </section>
      {isAsking && <AskDialog onClose={() => setIsAsking(false)} />}
    </Card>
  )
}

function AskDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const ask = useCall(askWorkspaceExport, {
    onSuccess: () => {
      onClose()
      toast({
        title: 'The export is being made',
        description: 'You get a mail when it is ready. You may leave this page.',
        variant: 'success',
      })
    },
  })
  const wrong = ask.error?.data.password
  const field = typeof wrong === 'string' ? wrong : undefined
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !ask.isPending && onClose()}
      title="Export everything?"
      description="The file has the mail of every mailbox, also of those that you do not read. The access log of each mailbox says that you asked for it, and every other Admin gets a mail. Passwords and keys are left out."
      confirmText={ask.isPending ? 'Asking...' : 'Export everything'}
      isPending={ask.isPending}
      isDangerous={false}
      isReady={password !== ''}
      onConfirm={() => ask.mutate({ body: { password } })}
    >
      <div className="mt-4 grid gap-4 text-sm">
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          value={password}
          error={field}
          onChange={({ target }) => setPassword(target.value)}
        />
        {ask.error && field === undefined && <FormAlert>{messageOf(ask.error)}</FormAlert>}
      </div>
    </ConfirmDialog>
  )
}

/** The browser downloads the file itself, so that its size does not matter. */
const save = (token: string): void => {
  const link = document.createElement('a')
  link.href = API_PREFIX + addressOf(downloadWorkspaceExport, { params: { token } })
  link.download = ''
  link.click()
}

function ExportRow({ made }: { made: WorkspaceExport }) {
  const params = { id: made._id }
  const onError = (error: Error) => toastError(messageOf(error))
  const link = useCall(linkToWorkspaceExport, { onSuccess: ({ token }) => save(token), onError })
  const remove = useCall(removeWorkspaceExport, { onError })
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-t pt-4">
      <ExportState made={made} />
      <span className="flex flex-wrap gap-2">
        <Button
          variant="quiet"
          isPending={remove.isPending}
          onClick={() => remove.mutate({ params })}
        >
          {isGoingOn(made) ? 'Stop' : 'Delete'}
        </Button>
        {made.state === 'done' && (
          <Button
            variant="secondary"
            isPending={link.isPending}
            onClick={() => link.mutate({ params })}
          >
            <Download aria-hidden />
            Download
          </Button>
        )}
      </span>
    </div>
  )
}

function ExportState({ made }: { made: WorkspaceExport }) {
  const { state, messages, written, size, expiresAt, reason, askedBy } = made
  if (state === 'failed')
    return (
      <p role="alert" className="wrap-anywhere min-w-0 flex-1 basis-72 text-bad text-sm">
        It could not be made. {reason}.
      </p>
    )
  if (state === 'done')
    return (
      <p className="wrap-anywhere min-w-0 flex-1 basis-72 text-soft text-sm">
        {formatBytes(size)} with {formatCount(written)} {written === 1 ? 'message' : 'messages'},
        asked for by {askedBy}.
        {expiresAt !== null && (
          <>
            {' '}
            Kept until <LocalTime at={expiresAt} format={formatDate} />.
          </>
        )}
      </p>
    )
  return (
    <div role="status" className="grid min-w-0 flex-1 basis-72 gap-1.5">
      <p className="wrap-anywhere text-soft text-sm tabular-nums">
        {state === 'waiting'
          ? 'It begins in a moment.'
          : `${formatCount(written)} of ${formatCount(messages)} messages.`}{' '}
        You may leave this page.
      </p>
      <Progress label="Export" percent={messages === 0 ? 0 : (100 * written) / messages} />
    </div>
  )
}

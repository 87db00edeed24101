/** In the settings of every member: they leave the workspace. The last Admin is led to hand it over, or to delete it, first. */
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { getLeaving } from '#contract/account/leaving.ts'
import { leaveWorkspace, type Workspace } from '#contract/workspaces.ts'
import { useWorkspace } from '#web/deletions/workspace-end.tsx'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

export function LeaveWorkspaceCard() {
  const workspace = useWorkspace()
  const { data, error, refetch } = useApi(getLeaving, {})
  return (
    <Card>
      <section
        aria-label="Leave this workspace"
        className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4"
      >
        <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
          <h2 className="font-medium text-sm">Leave this workspace</h2>
          {data && workspace ? (
            <p className="text-pretty text-soft text-sm">
              {isLastAdmin(data, workspace)
                ? 'You are the last Admin of it. Make another member an Admin, or delete the workspace.'
                : 'You no longer see its domains and mailboxes, or read its mail. Your account stays.'}
            </p>
          ) : error ? (
            <ErrorState
              title="Error loading whether you can leave"
              description={error.message}
              onRetry={() => void refetch()}
              className="py-6"
            />
          ) : (
            <Skeleton className="h-5 w-full" />
          )}
        </div>
        {data && workspace && isLastAdmin(data, workspace) && (
          <Button asChild variant="secondary">
            <Link to={paths.settings({ tab: 'users' })}>Members</Link>
          </Button>
        )}
        {data && workspace && !isLastAdmin(data, workspace) && <Leave workspace={workspace} />}
      </section>
    </Card>
  )
}

const isLastAdmin = ({ lastAdminOf }: { lastAdminOf: { _id: string }[] }, { _id: id }: Workspace) =>
  lastAdminOf.some(({ _id }) => _id === id)

function Leave({ workspace }: { workspace: Workspace }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button variant="quiet" className="-mx-3.5" onClick={() => setIsAsking(true)}>
        Leave workspace
      </Button>
      {isAsking && (
        <LeaveWorkspaceDialog workspaceId={workspace._id} onClose={() => setIsAsking(false)} />
      )}
    </>
  )
}

type DialogProps = { workspaceId: string; onClose: () => void }

export function LeaveWorkspaceDialog({ workspaceId, onClose }: DialogProps) {
  const navigate = useNavigate()
  const leave = useCall(leaveWorkspace, {
    onSuccess: ({ message }) => {
      onClose()
      toast({ title: message, variant: 'success' })
      void navigate(paths.workspaces())
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !leave.isPending && onClose()}
      title="Leave this workspace?"
      description="You can no longer see its domains and mailboxes, or read its mail. Only an Admin can bring you back."
      confirmText={leave.isPending ? 'Leaving...' : 'Leave'}
      isPending={leave.isPending}
      onConfirm={() => leave.mutate({ params: { id: workspaceId } })}
    />
  )
}

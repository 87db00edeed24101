import type { Workspace } from '#contract/workspaces.ts'
import { chosenWorkspace } from '#web/lib/api/access-token.ts'
import { useCan, useWorkspaces } from '#web/lib/api/use-can.ts'
import { formatDate } from '#web/lib/format.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { TakeBackButton } from './take-back-button.tsx'

/** The workspace of this tab. */
export function useWorkspace(): Workspace | undefined {
  const { data } = useWorkspaces({ staleTime: 60_000 })
  const chosen = chosenWorkspace.read()
  return data?.find(({ _id }) => _id === chosen) ?? data?.find(({ isCurrent }) => isCurrent)
}

/** What a person who is in none reads, and what they can do. */
export const NO_WORKSPACE = {
  title: 'You are in no workspace',
  description: 'Create one in the menu at the top of the sidebar, or ask to be invited to one.',
}

/** Above every page of a workspace that was deleted. */
export function WorkspaceEnd() {
  const workspace = useWorkspace()
  const canRestore = useCan('delete-workspace')
  if (!workspace || workspace.endsAt === null) return null
  return (
    <section
      aria-label="Deleted workspace"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b bg-warn-wash px-4 py-2 sm:px-6 lg:px-8"
    >
      <p className="wrap-anywhere min-w-0 flex-1 basis-64 text-pretty text-sm text-warn">
        <span className="font-medium">{workspace.name}</span> was deleted and ends on{' '}
        <LocalTime at={workspace.endsAt} format={formatDate} /> with everything in it.
      </p>
      <TakeBackButton id={workspace._id} name={workspace.name} isAllowed={canRestore} />
    </section>
  )
}

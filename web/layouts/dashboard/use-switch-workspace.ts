import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { switchWorkspace } from '#contract/workspaces.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { chosenWorkspace } from '#web/lib/api/chosen-workspace.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'

/** `enter` goes to a workspace that the server counts as current already; `choose` makes it so first. */
export function useSwitchWorkspace(onNavigate?: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const enter = async (id: string) => {
    await navigate(paths.dashboard())
    // A form with unsaved changes may have kept us where we were.
    if (location.pathname !== paths.dashboard()) return
    chosenWorkspace.choose(id)
    onNavigate?.()
    // Nothing that was read belongs to the new workspace.
    await client.resetQueries()
  }
  const choose = async (id: string) => {
    try {
      await call(switchWorkspace, { params: { id } })
    } catch (error) {
      toastError(messageOf(error))
      return
    }
    await enter(id)
  }
  return { enter, choose }
}

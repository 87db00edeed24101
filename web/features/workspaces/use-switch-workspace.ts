import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { switchWorkspace } from '#contract/workspaces.ts'
import { chosenWorkspace } from '#web/lib/api/access-token.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'

/** `enter` opens a workspace that is current on the server already; `choose` makes it current first. */
export function useSwitchWorkspace(onNavigate?: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const enter = async (id: string) => {
    await navigate(paths.dashboard())
    // A form with unsaved changes may have blocked the navigation.
    if (location.pathname !== paths.dashboard()) return
    chosenWorkspace.choose(id)
    onNavigate?.()
    // The cache belongs to the previous workspace.
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

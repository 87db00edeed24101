/** What the signed-in user may do in the workspace of this tab, so that screens offer no more than that. */
import { memberCan, type Right, type Role } from '#contract/rights.ts'
import { listWorkspaces } from '#contract/workspaces.ts'
import { chosenWorkspace } from './chosen-workspace.ts'
import { useApi } from './use-api.ts'

/** The user's role here; `undefined` while it is not known yet. Whoever is in no workspace may do what a User may. */
export function useRole(): Role | undefined {
  const workspaces = useApi(listWorkspaces, {}, { staleTime: 60_000 })
  const chosen = chosenWorkspace.read()
  const current =
    workspaces.data?.find((workspace) => workspace._id === chosen) ??
    workspaces.data?.find((workspace) => workspace.isCurrent)
  return current?.role ?? (workspaces.data && 'User')
}

/** True while it is not known yet: nothing flickers, and the server refuses in any case. */
export function useCan(right: Right): boolean {
  const role = useRole()
  return role === undefined || memberCan(role, right)
}

/** True also when it could not be read: the server refuses, and says so. */
export function useIsRoleKnown(): boolean {
  return !useApi(listWorkspaces, {}, { staleTime: 60_000 }).isPending
}

/** False while it is not known yet: for what would at once ask the server, which refuses and says so. */
export function useMay(right: Right): boolean {
  const role = useRole()
  return role !== undefined && memberCan(role, right)
}

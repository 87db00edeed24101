/** The rights of the signed-in user in the workspace of this tab, so that screens offer only what is allowed. */
import type { User } from '#contract/auth.ts'
import { type CallerRole, memberCan, type Right } from '#contract/rights.ts'
import { listWorkspaces } from '#contract/workspaces.ts'
import { chosenWorkspace } from './access-token.ts'
import { useSession } from './session.ts'
import { useApi } from './use-api.ts'

const FRESH = { staleTime: 60_000 }

/** The user when they signed in with the address of a mailbox (a holder, in no workspace); null for users with an account. */
export function useHolder(): User | null {
  const session = useSession()
  return session.status === 'signed-in' && session.user.mailboxId ? session.user : null
}

/** The user operates this installation. */
export function useIsOperator(): boolean {
  const session = useSession()
  return session.status === 'signed-in' && session.user.isOperator === true
}

/** Disabled for holders, who have no workspaces. */
export function useWorkspaces(options: { staleTime?: number } = {}) {
  return useApi(listWorkspaces, {}, { ...options, enabled: useHolder() === null })
}

/** The user's role here; `undefined` while loading. A user without a workspace has the rights of a User. */
export function useRole(): CallerRole | undefined {
  const isHolder = useHolder() !== null
  const workspaces = useWorkspaces(FRESH)
  const chosen = chosenWorkspace.read()
  const current =
    workspaces.data?.find((workspace) => workspace._id === chosen) ??
    workspaces.data?.find((workspace) => workspace.isCurrent)
  if (isHolder) return 'Holder'
  return current?.role ?? (workspaces.data && 'User')
}

/** True while the role is loading, so that nothing flickers; the server refuses in any case. */
export function useCan(right: Right): boolean {
  const role = useRole()
  return role === undefined || memberCan(role, right)
}

/** True also when loading failed: the server refuses and says so. */
export function useIsRoleKnown(): boolean {
  const isHolder = useHolder() !== null
  return !useWorkspaces(FRESH).isPending || isHolder
}

/** False while the role is loading: for queries that start at once and that the server would refuse. */
export function useMay(right: Right): boolean {
  const role = useRole()
  return role !== undefined && memberCan(role, right)
}

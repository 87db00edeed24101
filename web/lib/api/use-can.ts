/** What the signed-in user may do in the workspace of this tab, so that screens offer no more than that. */
import type { User } from '#contract/auth.ts'
import { type CallerRole, memberCan, type Right } from '#contract/rights.ts'
import { listWorkspaces } from '#contract/workspaces.ts'
import { chosenWorkspace } from './access-token.ts'
import { useSession } from './session.ts'
import { useApi } from './use-api.ts'

const FRESH = { staleTime: 60_000 }

/** Whoever signed in with the address of a mailbox, and is in no workspace; null for everybody with an account. */
export function useHolder(): User | null {
  const session = useSession()
  return session.status === 'signed-in' && session.user.mailboxId ? session.user : null
}

/** A holder has none. */
export function useWorkspaces(options: { staleTime?: number } = {}) {
  return useApi(listWorkspaces, {}, { ...options, enabled: useHolder() === null })
}

/** The user's role here; `undefined` while it is not known yet. Whoever is in no workspace may do what a User may. */
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

/** True while it is not known yet: nothing flickers, and the server refuses in any case. */
export function useCan(right: Right): boolean {
  const role = useRole()
  return role === undefined || memberCan(role, right)
}

/** True also when it could not be read: the server refuses, and says so. */
export function useIsRoleKnown(): boolean {
  const isHolder = useHolder() !== null
  return !useWorkspaces(FRESH).isPending || isHolder
}

/** False while it is not known yet: for what would at once ask the server, which refuses and says so. */
export function useMay(right: Right): boolean {
  const role = useRole()
  return role !== undefined && memberCan(role, right)
}

import type { OpenedInvitation } from '#contract/workspace/invitations.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'

export type OpenInvitation = Extract<OpenedInvitation, { type: 'OPEN' }>

/** What the views of an open invitation are given. */
export type AnswerProps = {
  token: string
  invitation: OpenInvitation
  /** It is answered; another page follows. */
  onAnswered: () => void
  /** It ended meanwhile, or the address has got an account: look again. */
  onStale: () => void
}

const STALE = ['INVALID_SIGNATURE', 'LINK_EXPIRED', 'USER_ALREADY_EXISTS', 'FORBIDDEN']

export const isStale = (error: unknown): boolean =>
  error instanceof ApiError && STALE.includes(error.type)

export function toastRefusal(error: unknown, onStale: () => void): void {
  toastError(messageOf(error))
  if (isStale(error)) onStale()
}

export const toastJoined = ({ workspaceName, role }: OpenInvitation): void =>
  void toast({
    title: `You joined ${workspaceName}`,
    description: `You are ${role} there.`,
    variant: 'success',
  })

/** Who asks: every rule that needs a caller takes one of these. */
import type { CallerRole } from '#contract/rights.ts'

export type Who = {
  userId: string
  sessionId: string
  /** The tenant of this request; every query of its rows names it. */
  workspaceId: string
  role: CallerRole
  /** Address of the client, for throttles and the session list. */
  ip: string
}

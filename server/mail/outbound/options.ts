import type { Timeouts } from './smtp/session.ts'

/** What tests set smaller. */
export type OutboundOptions = Timeouts & {
  /** How long a connection is kept for the next mail. */
  keepMs: number
  /** A delivery that takes longer no longer keeps others from starting. */
  slowMs: number
  /** Where the policies of RFC 8461 are fetched. */
  policyPort: number
}

/** RFC 5321 §4.5.3.2, shortened where a host that takes longer is as good as away. */
export const usualOptions: OutboundOptions = {
  connectMs: 30_000,
  greetingMs: 60_000,
  idleMs: 300_000,
  wholeMs: 600_000,
  keepMs: 5_000,
  slowMs: 20_000,
  policyPort: 443,
}

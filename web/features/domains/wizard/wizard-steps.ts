/** The four steps of adding a domain, and which of them can be reached. */

export const STEPS = ['Add domain', 'Verify domain', 'Verify DNS', 'Finish'] as const
export const ADD = 0
export const VERIFY_DOMAIN = 1
export const VERIFY_DNS = 2
export const FINISH = 3

export type Progress = { hasDomain: boolean; isOwned: boolean; isDnsVerified: boolean }

/** Where a click on a step leads: that step, a sentence on what comes first, or nowhere. */
export function leadTo(
  target: number,
  current: number,
  progress: Progress,
): { step: number } | { refusal: string } | null {
  if (target === ADD && current === FINISH) return null
  if (target > ADD && !progress.hasDomain) return { refusal: 'Please create a domain first' }
  if (target > VERIFY_DOMAIN && !progress.isOwned)
    return { refusal: 'Please verify ownership first' }
  if (target > VERIFY_DNS && !progress.isDnsVerified)
    return { refusal: 'Please verify all DNS records first' }
  return { step: target }
}

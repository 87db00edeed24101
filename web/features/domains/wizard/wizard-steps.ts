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

/** The step that the browser keeps with a place of its history; `null` where none was chosen yet. */
export function stepKept(state: unknown): number | null {
  const step = typeof state === 'object' && state !== null && 'step' in state ? state.step : null
  return typeof step === 'number' && STEPS[step] !== undefined ? step : null
}

/** A place that was kept may lie beyond what is verified now. */
export function withinReach(step: number, progress: Progress): number {
  const last = !progress.isOwned ? VERIFY_DOMAIN : !progress.isDnsVerified ? VERIFY_DNS : FINISH
  return Math.min(step, last)
}

/** From here on somebody should make room. */
const NEARLY_FULL_PERCENT = 90

export const isNearlyFull = (percent: number): boolean => percent >= NEARLY_FULL_PERCENT

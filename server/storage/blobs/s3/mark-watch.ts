/** A bucket that was given to another installation, or from which the blobs moved away, is noticed within this time. */
export const CHECKED_MS = 5_000

/** Asks again when the last answer is older. Of many that ask at once, one request is made. @throws what `check` throws */
export const markWatch = (check: () => Promise<void>): (() => Promise<void>) => {
  let checkedAt = 0
  let asking: Promise<void> | null = null
  return async () => {
    if (Date.now() - checkedAt < CHECKED_MS) return
    asking ??= check()
      .then(() => {
        checkedAt = Date.now()
      })
      .finally(() => {
        asking = null
      })
    await asking
  }
}

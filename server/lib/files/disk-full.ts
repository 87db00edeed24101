/** As the system says it when a disk has no room left, whoever it was that looked. */

export const diskFull = (reason: string): Error =>
  Object.assign(new Error(`ENOSPC: ${reason}`), { code: 'ENOSPC' })

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOSPC'

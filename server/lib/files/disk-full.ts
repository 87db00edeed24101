import { statfs } from 'node:fs/promises'

/** As the system says it when a disk has no room left, whoever it was that looked. */

const diskFull = (reason: string): Error =>
  Object.assign(new Error(`ENOSPC: ${reason}`), { code: 'ENOSPC' })

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOSPC'

export const isRoomOn = async (folder: string, bytes: number): Promise<boolean> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize >= bytes
}

/** @throws ENOSPC: what is left is for others */
export const checkRoomOn = async (folder: string, bytes: number): Promise<void> => {
  if (!(await isRoomOn(folder, bytes)))
    throw diskFull('the rest of the disk is left to the database')
}

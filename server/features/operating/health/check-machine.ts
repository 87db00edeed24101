/** What runs under the mail: the disk, the database and the jobs. */
import { diskSpaceOf } from '#server/lib/files/data-folder.ts'
import {
  CONNECTIONS_MENDING,
  connectionTrouble,
  countConnections,
} from '#server/storage/connection-count.ts'
import { type Check, command, type Finding, good, setting, unknown, wrong } from './finding.ts'
import { lastJobAt, readDatabase } from './health-store.ts'

const GB = 1_000_000_000
/** Several jobs are due each minute. */
const JOBS_LATE_MS = 5 * 60_000

export const checkDisk: Check = async ({ config }) => {
  const { freeBytes, sizeBytes } = await diskSpaceOf(config.dataDir)
  return [roomOf(config.dataDir, freeBytes, sizeBytes)]
}

/** A twentieth of the disk, at least 1 GB and at most 10 GB: mail is refused when the last 100 MB are left (decision 032). */
export const roomOf = (folder: string, free: number, size: number): Finding => {
  const has = `${gigabytes(free)} of ${gigabytes(size)} are free in ${folder}`
  const isEnough = free >= Math.min(10 * GB, Math.max(GB, size / 20))
  if (isEnough) return good(`${has}.`)
  return wrong(
    `Only ${has}; mail is refused when nothing is left.`,
    'Give it a larger disk, or find what fills it.',
    command(`du -xh --max-depth=2 ${folder} | sort -h | tail`),
  )
}

const gigabytes = (bytes: number): string => `${(bytes / GB).toFixed(bytes < 10 * GB ? 1 : 0)} GB`

export const checkDatabase: Check = async ({ db }) => {
  const begun = performance.now()
  const { version } = await readDatabase(db)
  const answers = `PostgreSQL ${version} answers in ${Math.ceil(performance.now() - begun)} ms.`
  const count = await countConnections(db)
  const trouble = connectionTrouble(count)
  const { processes, mayOpen, takes } = count
  if (processes === 0) return [good(answers)]
  if (trouble === null)
    return [
      good(`${answers} It takes ${takes} connections; the processes may open ${mayOpen} of them.`),
    ]
  return [
    wrong(
      trouble,
      CONNECTIONS_MENDING,
      setting(`max_connections = ${mayOpen + Math.ceil(mayOpen / 5)}`),
    ),
  ]
}

export const checkJobs: Check = async ({ db, clock }) => {
  const last = await lastJobAt(db)
  const mending = 'Start a process with the role worker; its log says why when it ends.'
  if (last === null)
    return [
      wrong('No process runs the jobs yet, so no mail is sent and no domain is checked.', mending),
    ]
  const minutes = Math.floor((clock.now().getTime() - last.getTime()) / 60_000)
  if (minutes * 60_000 >= JOBS_LATE_MS)
    return [
      wrong(
        `No job has run for ${minutes} minutes, so no mail is sent and no domain is checked.`,
        mending,
      ),
    ]
  if (minutes < -1) return [unknown('The last job ran in the future: look at the clock.')]
  return [good('They ran within the last five minutes.')]
}

/** The clusters of older PostgreSQL versions that were carried over: DATA_DIR/postgres-17. They stay until the next backup. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const NAME = /^postgres-\d+$/

export const keptFolder = (dataDir: string, major: number): string =>
  join(dataDir, `postgres-${major}`)

export const keptClusters = (dataDir: string): string[] =>
  readdirSync(dataDir)
    .filter((name) => NAME.test(name))
    .map((name) => join(dataDir, name))

/** What they hold is in a backup now. */
export const removeKeptClusters = (dataDir: string): void => {
  if (!existsSync(dataDir)) return
  for (const folder of keptClusters(dataDir)) rmSync(folder, { recursive: true, force: true })
}

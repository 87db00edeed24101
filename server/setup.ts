/**
 * The last step of `npm run setup`: what a start would otherwise do in the program's folder, where its user may not write. With a
 * DATA_DIR it fetches what the first start there needs to read a database of an older PostgreSQL (decision 114).
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { actAsOwnerOf } from './act-as-owner.ts'
import { StartError } from './lib/ports/bound-ports.ts'
import { fetchForOlder } from './storage/carry-over/carry-over.ts'
import { linkRuntime } from './storage/embedded-postgres/runtime.ts'

linkRuntime()
const [dataDir] = process.argv.slice(2)
if (dataDir !== undefined && existsSync(dataDir)) {
  actAsOwnerOf(dataDir)
  try {
    await fetchForOlder(resolve(dataDir))
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

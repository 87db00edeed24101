/** Creates the DATA_DIR that the products of the stories start from: a database with empty tables. */
import { rmSync } from 'node:fs'
import { openStorage } from '#server/storage/open-storage.ts'
import { copyFrom } from './data-dir.ts'
import { aRunFolder } from './run-folder.ts'

// biome-ignore lint/style/noDefaultExport: Playwright takes no other
export default async (): Promise<() => void> => {
  const folder = aRunFolder()
  const onError = (error: Error) => console.error(error)
  const storage = await openStorage({ databaseUrl: null, dataDir: folder }, { onError })
  await storage.close()
  copyFrom(folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Gives the files of this release's pages to processes of other releases, while this one serves. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '#server/app.ts'
import { shareWebFiles } from '#server/features/web-files/web-files.ts'
import { WEB_FOLDER } from './web-files.ts'

/** Again, in case that they were removed meanwhile, and so that they are not. */
const AGAIN_MS = 3_600_000

/** Before the first page is sent, so that a page never names a file that others do not have. @returns ends it */
export const keepFilesShared = async (app: App, webFolder = WEB_FOLDER): Promise<() => void> => {
  const share = async () => {
    try {
      const names = await readdir(join(webFolder, 'assets')).catch((): string[] => [])
      await shareWebFiles(
        app,
        names.map((name) => `/assets/${name}`),
        async (path) => ({
          body: await readFile(join(webFolder, path)),
          br: names.includes(`${path.slice('/assets/'.length)}.br`)
            ? await readFile(join(webFolder, `${path}.br`))
            : null,
        }),
      )
    } catch (error) {
      // Pages are served all the same: one of another release loads itself anew.
      app.log.warn({ err: error }, 'the files of pages could not be shared with other releases')
    }
  }
  await share()
  const again = setInterval(share, AGAIN_MS).unref()
  return () => clearInterval(again)
}

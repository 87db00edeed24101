/** The source files of the project, by folder. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const folders = [
  'contract',
  'server',
  'web',
  'e2e',
  'scripts',
  'test-world',
  'bench',
  'demo',
  'soak',
]

export const isTest = (path: string): boolean => /\.(test|spec)\.(ts|tsx|js)$/.test(path)

/** Paths from the root, with `/`. */
export const ourFiles = (): string[] =>
  folders.flatMap(filesUnder).filter((path) => /\.(ts|tsx|js|cjs|css|html)$/.test(path))

const filesUnder = (folder: string): string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
      .sort()
  } catch {
    return []
  }
}

/** Reads the built web app once, at start. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const WEB_FOLDER = fileURLToPath(new URL('../../../.build/web', import.meta.url))

export type WebFile = {
  body: Buffer
  br: Buffer | null
  gz: Buffer | null
  contentType: string
  etag: string
  /** Its name changes with its content. */
  isHashed: boolean
}

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** By address; empty when the web app is not built. Files of unknown types are left out. */
export const loadWebFiles = async (folder: string): Promise<Map<string, WebFile>> => {
  const names = await filesIn(folder)
  const files = new Map<string, WebFile>()
  for (const name of names) {
    const contentType = contentTypes[extname(name)]
    if (contentType === undefined) continue
    const body = await readFile(name)
    const path = `/${relative(folder, name).split(sep).join('/')}`
    files.set(path, {
      body,
      br: names.has(`${name}.br`) ? await readFile(`${name}.br`) : null,
      gz: names.has(`${name}.gz`) ? await readFile(`${name}.gz`) : null,
      contentType,
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      isHashed: path.startsWith('/assets/'),
    })
  }
  return files
}

const filesIn = async (folder: string): Promise<Set<string>> => {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return new Set(
      entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)),
    )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Set()
    throw error
  }
}

/** Reads the built web app once, at start. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { FastifyReply } from 'fastify'
import { attachmentDisposition } from '#server/standards/content-disposition.ts'
import { type Streamed, sendable, sendableStream } from '../exchange/large-answer.ts'

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

const ASSETS = '/assets/'

export const contentTypeOf = (path: string): string | undefined => contentTypes[extname(path)]

export const etagOf = (body: Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

/** By address; empty when the web app is not built. Files of unknown types are left out. */
export const loadWebFiles = async (folder: string): Promise<Map<string, WebFile>> => {
  const names = await filesIn(folder)
  const files = new Map<string, WebFile>()
  for (const name of names) {
    const contentType = contentTypeOf(name)
    if (contentType === undefined) continue
    const body = await readFile(name)
    const path = `/${relative(folder, name).split(sep).join('/')}`
    files.set(path, {
      body,
      br: names.has(`${name}.br`) ? await readFile(`${name}.br`) : null,
      gz: names.has(`${name}.gz`) ? await readFile(`${name}.gz`) : null,
      contentType,
      etag: etagOf(body),
      isHashed: path.startsWith(ASSETS),
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

type SentFile = {
  filename: string
  contentType: string
  content: Buffer | Readable | string | Streamed
  /** How long the browser may cache it; absent: not at all. */
  keptSeconds?: number
}

/** Foreign bytes: saved, never shown, and without rights if a browser shows them all the same. */
export const sendFile = (reply: FastifyReply, file: SentFile): FastifyReply =>
  reply
    .header('content-type', harmlessType(file.contentType))
    .header('content-disposition', attachmentDisposition(file.filename))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', cacheControl(file.keptSeconds))
    // An answer for one user must not be cached for the next at the same browser.
    .header('vary', 'authorization')
    .send(sendableOf(reply, file.content))

const sendableOf = (reply: FastifyReply, content: SentFile['content']) => {
  if (Buffer.isBuffer(content)) return sendable(reply, content)
  return typeof content === 'object' && 'pieces' in content
    ? sendableStream(reply, content)
    : content
}

const cacheControl = (keptSeconds = 0): string =>
  keptSeconds > 0 ? `private, max-age=${keptSeconds}, immutable` : 'private, no-store'

/** Types that a browser might run are sent as plain bytes. */
const harmlessType = (type: string): string =>
  /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) && !/html|xml|script|svg|pdf|multipart/i.test(type)
    ? type
    : 'application/octet-stream'

import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { attachmentDisposition } from '#server/standards/content-disposition.ts'
import { type Streamed, sendable, sendableStream } from '../load/large-answer.ts'

type SentFile = {
  filename: string
  contentType: string
  content: Buffer | Readable | string | Streamed
  /** How long the browser may show it again without asking; not at all when absent. */
  keptSeconds?: number
}

/** Bytes that a stranger wrote: saved, never shown, and without rights should a browser show them all the same. */
export const sendFile = (reply: FastifyReply, file: SentFile): FastifyReply =>
  reply
    .header('content-type', harmlessType(file.contentType))
    .header('content-disposition', attachmentDisposition(file.filename))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', cacheControl(file.keptSeconds))
    // What one user was given is not for the next at the same browser.
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

/** What a browser might run is named as plain bytes. */
const harmlessType = (type: string): string =>
  /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) && !/html|xml|script|svg|pdf|multipart/i.test(type)
    ? type
    : 'application/octet-stream'

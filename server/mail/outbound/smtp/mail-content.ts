/**
 * The content of an outgoing mail: its properties are known before MAIL, and its bytes are read as the host accepts them. 25 MB
 * may take minutes.
 */
import { isAscii } from 'node:buffer'
import { bodyStartOf } from '#server/standards/message-lines.ts'

export type MailContent = {
  size: number
  isAscii: boolean
  header: Buffer
  pieces(): AsyncIterable<Buffer> | Iterable<Buffer>
}

type Opened = Pick<MailContent, 'size' | 'pieces'>

/** The limit for the header; real headers are much shorter. */
const MAX_HEADER_BYTES = 2_000_000

/** Reads the whole content once. */
export const mailContent = async ({ size, pieces }: Opened): Promise<MailContent> => {
  let start = Buffer.alloc(0)
  let hasHeader = false
  let isAllAscii = true
  for await (const piece of pieces()) {
    isAllAscii &&= isAscii(piece)
    if (hasHeader) continue
    start = Buffer.concat([start, piece])
    hasHeader = bodyStartOf(start) < start.length || start.length > MAX_HEADER_BYTES
  }
  // A copy: a view would keep the whole piece in memory.
  return { size, pieces, isAscii: isAllAscii, header: Buffer.from(headerOf(start)) }
}

const headerOf = (start: Buffer): Buffer => start.subarray(0, bodyStartOf(start))

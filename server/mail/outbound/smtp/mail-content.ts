/** What is sent: known before by what hosts must be told of it, and read as they take it. A host may take minutes for 25 MB. */
import { isAscii } from 'node:buffer'
import { bodyStartOf } from '#server/standards/message-lines.ts'

export type MailContent = {
  size: number
  isAscii: boolean
  header: Buffer
  pieces(): AsyncIterable<Buffer> | Iterable<Buffer>
}

type Opened = Pick<MailContent, 'size' | 'pieces'>

/** Of what came as a mail: headers are much shorter. */
const MAX_HEADER_BYTES = 2_000_000

/** Reads through all of it once. */
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
  // Its own bytes: a view would keep the piece.
  return { size, pieces, isAscii: isAllAscii, header: Buffer.from(headerOf(start)) }
}

const headerOf = (start: Buffer): Buffer => start.subarray(0, bodyStartOf(start))

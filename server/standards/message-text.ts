/** Parses MIME messages within the limits of this installation. */
import { MailParser, type ReadEmail } from './mime/mail-parser.ts'
import { withShortHeader } from './mime/short-header.ts'

export const MAX_MIME_DEPTH = 100
const MAX_HEADER_BYTES = 512_000
/** Three times the number of attachments that are listed. */
const MAX_PARTS = 3_000
const MAX_BOUNDARIES = 100
const MAX_BOUNDARY = 200
const DELIMITER = '\r\n--'

/** 'too-deep' when parts nest deeper than MAX_MIME_DEPTH; null when the structure is invalid. */
export const parseMessage = async (raw: Uint8Array): Promise<ReadEmail | 'too-deep' | null> => {
  try {
    const parser = new MailParser({
      maxNestingDepth: MAX_MIME_DEPTH,
      maxHeadersSize: MAX_HEADER_BYTES,
    })
    return await parser.parse(withFewParts(withShortHeader(raw)))
  } catch (error) {
    return error instanceof Error && /nesting depth/.test(error.message) ? 'too-deep' : null
  }
}

/** Cuts the message after MAX_PARTS parts: an empty part takes a few bytes to send and kilobytes to parse. */
const withFewParts = (raw: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const lines = delimitersIn(bytes)
  if (lines.length <= MAX_PARTS) return raw
  // A line of plain text may also begin with dashes.
  const boundaries = boundariesIn(bytes)
  const isDelimiter = (at: number): boolean => {
    const line = bytes.toString(
      'latin1',
      at + DELIMITER.length,
      at + DELIMITER.length + MAX_BOUNDARY,
    )
    return boundaries.some((boundary) => line.startsWith(boundary))
  }
  const end = lines.filter(isDelimiter)[MAX_PARTS]
  return end === undefined ? raw : raw.subarray(0, end + 2)
}

const delimitersIn = (bytes: Buffer): number[] => {
  const found: number[] = []
  for (let at = bytes.indexOf(DELIMITER); at !== -1; at = bytes.indexOf(DELIMITER, at + 2))
    found.push(at)
  return found
}

const boundariesIn = (bytes: Buffer): string[] => {
  const boundaryParameter = /boundary\s{0,10}=\s{0,10}(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi
  const found = new Set<string>()
  for (const [, quoted, plain = ''] of bytes.toString('latin1').matchAll(boundaryParameter)) {
    found.add(quoted ?? plain)
    if (found.size === MAX_BOUNDARIES) break
  }
  return [...found]
}

/** The result for a message that cannot be parsed. */
export const unreadableEmail: ReadEmail = { headers: [], headerLines: [], attachments: [] }

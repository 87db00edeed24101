/** Reading messages: MIME with the limits of this installation. */
import PostalMime, { type Email } from 'postal-mime'
import './postal-mime-decoder.ts'

export const MAX_MIME_DEPTH = 100
const MAX_HEADER_BYTES = 512_000

/** 'too-deep' when parts nest deeper than MAX_MIME_DEPTH; null when the structure cannot be read. */
export const parseMessage = async (raw: Uint8Array): Promise<Email | 'too-deep' | null> => {
  try {
    return await PostalMime.parse(raw, {
      maxNestingDepth: MAX_MIME_DEPTH,
      maxHeadersSize: MAX_HEADER_BYTES,
    })
  } catch (error) {
    return error instanceof Error && /nesting depth/.test(error.message) ? 'too-deep' : null
  }
}

/** A message of which nothing could be read. */
export const unreadableEmail: Email = { headers: [], headerLines: [], attachments: [] }

/** The bytes between DATA and the final dot. smtp-server ends them only at CRLF.CRLF. */
import type { SMTPServerDataStream } from 'smtp-server'
import { SmtpRefusal } from './smtp-refusal.ts'

/** Of one message, with dots removed. */
export const MAX_MESSAGE_BYTES = 25_000_000
/** Of all messages that arrive at the same moment: memory is finite. */
const MAX_BYTES_IN_FLIGHT = 250_000_000

let bytesInFlight = 0

/**
 * Hands the whole message to `use`; its bytes count as in flight until that ends. The stream is always read to
 * its end, because the answer is only due there.
 * @throws SmtpRefusal when it is too large or we hold too much already, an Error when the client went away.
 */
export const withData = async <T>(
  stream: SMTPServerDataStream,
  use: (raw: Buffer) => Promise<T>,
): Promise<T> => {
  const chunks: Buffer[] = []
  let held = 0
  let isOverloaded = false
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (stream.sizeExceeded || isOverloaded) continue
      if (bytesInFlight + chunk.length > MAX_BYTES_IN_FLIGHT) {
        isOverloaded = true
        continue
      }
      held += chunk.length
      bytesInFlight += chunk.length
      chunks.push(chunk)
    }
    if (stream.sizeExceeded)
      throw new SmtpRefusal('552 5.3.4', `A message may have ${MAX_MESSAGE_BYTES} bytes at most`)
    if (isOverloaded) throw new SmtpRefusal('452 4.3.1', 'Too much mail at once, try again later')
    return await use(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, held))
  } finally {
    bytesInFlight -= held
  }
}

/**
 * Parts of a message with exactly the bytes that were sent: the library itself reads lines and joins them with LF. Loading this
 * module patches the library for the whole process (decision 045).
 */
import { isUtf8 } from 'node:buffer'
import { decodeText } from './charset.ts'
import { type BodyDecoder, type MimeNode, Node } from './library.ts'
import { decodeTransfer } from './transfer-encoding.ts'

const CR = 0x0d
const LF = 0x0a

/** Remembers the start and end of a body and copies no line. The lines are views of the message. */
class BodyRange implements BodyDecoder {
  readonly #node: MimeNode
  readonly #encoding: string
  #message: Uint8Array | null = null
  #start = 0
  #end = 0

  constructor(node: MimeNode, encoding: string) {
    this.#node = node
    this.#encoding = encoding
  }

  update(line: Uint8Array): void {
    if (this.#message === null) {
      this.#message = new Uint8Array(line.buffer)
      this.#start = line.byteOffset
    }
    this.#end = line.byteOffset + line.byteLength
  }

  async finalize(): Promise<Uint8Array> {
    const { childNodes, parentNode } = this.#node
    // The text around the parts of a multipart is ignored.
    if (this.#message === null || childNodes.length > 0) return new Uint8Array()
    const end = parentNode ? lastLineEnd(this.#message, this.#end) : this.#message.length
    return decodeTransfer(this.#message.subarray(this.#start, end), this.#encoding)
  }
}

/** The line end before a delimiter belongs to the delimiter (RFC 2046 §5.1.1). `from`: only CR and LF follow it on the line. */
const lastLineEnd = (message: Uint8Array, from: number): number => {
  const lf = message.indexOf(LF, from)
  if (lf === -1) return message.length
  return lf > from && message[lf - 1] === CR ? lf - 1 : lf
}

Node.prototype.setupContentDecoder = function setupContentDecoder(this: MimeNode, encoding) {
  this.contentDecoder = new BodyRange(this, encoding)
}

Node.prototype.getTextContent = function getTextContent(this: MimeNode): string {
  const { value, params } = this.contentType.parsed
  const bytes = this.content ?? new Uint8Array()
  const decoded = decodeText(bytes, params.charset ?? '', value === 'text/html')
  const lines = decoded.replace(/\r\n?/g, '\n')
  const isWhole =
    lines === '' || lines.endsWith('\n') || this.contentTransferEncoding.encoding === 'base64'
  const text = isWhole ? lines : `${lines}\n`
  if (!/^flowed$/i.test(params.format ?? '')) return text
  return this.decodeFlowedText(text, /^yes$/i.test(params.delsp ?? ''))
}

const { processHeaders, feed } = Node.prototype

/** Content-Type without a slash: read as text when it is empty (RFC 2045 §5.2) or names text, otherwise as octet-stream. */
Node.prototype.processHeaders = function readHeaders(this: MimeNode): void {
  processHeaders.call(this as never)
  const { parsed } = this.contentType
  if (parsed.value.includes('/')) return
  if (parsed.value === 'html') parsed.value = 'text/html'
  else
    parsed.value = /^(?:text|plain|)$/.test(parsed.value)
      ? 'text/plain'
      : 'application/octet-stream'
}

/** Header fields are UTF-8 (RFC 6532), or in an undeclared charset of an old program. */
Node.prototype.feed = function readLine(this: MimeNode, line: Uint8Array): void {
  const isOld = this.state === 'header' && !isUtf8(line)
  feed.call(this as never, isOld ? new TextEncoder().encode(decodeText(line, '')) : line)
}

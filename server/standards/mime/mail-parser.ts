/** Decides which MIME parts are the text of a message and which are its attachments. */
import type { Attachment, Email } from 'postal-mime'
import { decodeWords, withPlainWords } from './encoded-words.ts'
import { innerFilename, innerHeaderHtml, innerHeaderText } from './inner-message.ts'
import { LibraryParser, type MimeNode } from './library.ts'
import './nodes.ts'

export type ReadEmail = Email & {
  /** true: the message is declared as multipart, but no parts were found; `text` is the unparsed body. */
  isSource?: boolean
}

/** Fields whose encoded words are decoded before the library parses them. */
const encodedWordFields = new Set(['from', 'sender', 'to', 'cc', 'bcc', 'reply-to', 'subject'])
/** Text types that are data for programs. */
const dataTypes = /^text\/(?:calendar|csv|vcard|x-vcard|directory)$/

export class MailParser extends LibraryParser {
  #isSource = false

  override isInlineTextNode(node: MimeNode): boolean {
    if (node.contentDisposition.parsed.value === 'attachment') return false
    if (!/^text\/(?:plain|html)$/.test(node.contentType.parsed.value)) return false
    return nameOf(node) === '' || isLetter(node)
  }

  override async collectNode(
    node: MimeNode,
    alternative: MimeNode | false,
    isRelated: boolean,
  ): Promise<void> {
    const isText = node.contentType.multipart === false && this.isInlineTextNode(node)
    if (isText && !node.parentNode && nameOf(node) !== '') this.#attach(node, {})
    if (node.contentType.multipart !== false && node.childNodes.length === 0) this.#addSource(node)
    else await super.collectNode(node, alternative, isRelated)
    if (node === this.root && this.textMap.size === 0) this.#addOtherText(node)
  }

  #addSource(node: MimeNode): void {
    this.#isSource = true
    this.addTextEntry(node, 'plain', { type: 'text', value: textOf(node) })
  }

  /** Shows text/markdown, text/enriched and other text types when the message has no other text. */
  #addOtherText(node: MimeNode): void {
    const found = leavesOf(node).find(({ contentType, contentDisposition, ...leaf }) => {
      const { value } = contentType.parsed
      const isFile = dataTypes.test(value) || contentDisposition.parsed.value === 'attachment'
      return value.startsWith('text/') && !isFile && leaf.content !== null
    })
    if (found === undefined || nameOf(found) !== '') return
    this.addTextEntry(found, 'plain', { type: 'text', value: textOf(found) })
  }

  /** Shows the inner message with the outer text, and lists it as an attachment too. */
  override async collectSubMessage(node: MimeNode): Promise<void> {
    const inner = new MailParser(this.options)
    inner.rfc822NestingDepth = this.rfc822NestingDepth + 1
    const message: ReadEmail = await inner.parse(node.content ?? new Uint8Array())
    this.#attach(node, { filename: nameOf(node) || innerFilename(message) || null })
    if (message.text || !message.html)
      this.addTextEntry(node, 'plain', { type: 'text', value: innerHeaderText(message) })
    if (message.html)
      this.addTextEntry(node, 'html', { type: 'text', value: innerHeaderHtml(message) })
    for (const [part, text] of inner.textMap) this.textMap.set(part, text)
    this.attachments.push(...message.attachments)
    this.#isSource ||= message.isSource === true
  }

  override collectAttachment(
    node: MimeNode,
    _content: Uint8Array,
    isRelated: boolean,
    isTooDeep: boolean,
  ): void {
    this.#attach(node, isRelated && node.contentId && !isTooDeep ? { related: true } : {})
  }

  #attach(node: MimeNode, more: Partial<Attachment>): void {
    const { contentType, contentDisposition, contentDescription, contentId, content } = node
    this.attachments.push({
      filename: nameOf(node) || null,
      mimeType: contentType.parsed.value,
      disposition: contentDisposition.parsed.value || null,
      ...(contentDescription && { description: decodeWords(contentDescription) }),
      ...(contentId && { contentId }),
      content: content ?? new Uint8Array(),
      ...more,
    })
  }

  override buildMessage(): ReadEmail {
    const { headers } = this.root
    this.root.headers = headers.map((header) =>
      encodedWordFields.has(header.key)
        ? { ...header, value: withPlainWords(header.value) }
        : header,
    )
    return { ...super.buildMessage(), headers, isSource: this.#isSource }
  }
}

const nameOf = ({ contentDisposition, contentType }: MimeNode): string =>
  wordsOf(contentDisposition, 'filename') || wordsOf(contentType, 'name')

/** A parameter encoded by RFC 2231 is not an encoded word, even if it looks like one. */
const wordsOf = (field: MimeNode['contentDisposition'], name: string): string => {
  const value = field.parsed.params[name] ?? ''
  return new RegExp(`\\b${name}\\*(?:0\\*)?\\s*=`, 'i').test(field.value)
    ? value
    : decodeWords(value)
}

/** Such a part is text whatever its file name: the only part, one alternative, or the root of multipart/related. */
const isLetter = (node: MimeNode): boolean => {
  const { parentNode } = node
  if (!parentNode) return true
  const { multipart } = parentNode.contentType
  return (
    multipart === 'alternative' || (multipart === 'related' && parentNode.childNodes[0] === node)
  )
}

const textOf = (node: MimeNode): string =>
  (node as MimeNode & { getTextContent(): string }).getTextContent()

const leavesOf = (node: MimeNode): MimeNode[] =>
  node.childNodes.length === 0 ? [node] : node.childNodes.flatMap(leavesOf)

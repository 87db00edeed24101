/**
 * The internals of postal-mime that `nodes.ts` and `mail-parser.ts` override. A version that has moved them fails here, at start.
 */
import PostalMime, { type Attachment, type Email } from 'postal-mime'

type Parsed = { value: string; params: Record<string, string> }

/** One MIME part during parsing. */
export type MimeNode = {
  parentNode?: MimeNode
  childNodes: MimeNode[]
  contentType: { value: string; parsed: Parsed; multipart: string | false }
  contentTransferEncoding: { encoding: string }
  contentDisposition: { value: string; parsed: Parsed }
  contentId?: string
  contentDescription?: string
  headers: Email['headers']
  state: 'header' | 'body' | 'finished'
  contentDecoder: BodyDecoder | null
  content: Uint8Array | null
  decodeFlowedText(text: string, isDelSp: boolean): string
}

export type BodyDecoder = { update(line: Uint8Array): void; finalize(): Promise<Uint8Array> }

export type NodeClass = {
  prototype: MimeNode & {
    setupContentDecoder(encoding: string): void
    getTextContent(): string
    processHeaders(): void
    feed(line: Uint8Array): void
  }
}

/** The parser with its private members. */
export type Parser = {
  root: MimeNode
  textMap: Map<MimeNode, unknown>
  attachments: Attachment[]
  rfc822NestingDepth: number
  maxRfc822NestingDepth: number
  options: object
  forceRfc822Attachments: boolean
  parse(raw: Uint8Array): Promise<Email>
  isInlineTextNode(node: MimeNode): boolean
  isInlineMessageRfc822(node: MimeNode): boolean
  collectNode(node: MimeNode, alternative: MimeNode | false, isRelated: boolean): Promise<void>
  collectSubMessage(node: MimeNode): Promise<void>
  collectAttachment(
    node: MimeNode,
    content: Uint8Array,
    isRelated: boolean,
    isTooDeep: boolean,
  ): void
  addTextEntry(node: MimeNode, type: 'plain' | 'html', entry: { type: 'text'; value: string }): void
  buildMessage(): Email
}

const entry = import.meta.resolve('postal-mime')
const load = async <T>(file: string): Promise<T> => (await import(new URL(file, entry).href)) as T

export const { default: Node } = await load<{ default: NodeClass }>('./mime-node.js')
export const { getDecoder } = await load<{ getDecoder(label: string): TextDecoder }>(
  './decode-strings.js',
)
export const LibraryParser = PostalMime as unknown as new (options: object) => Parser

const needed: [object, string[]][] = [
  [
    Node.prototype,
    ['setupContentDecoder', 'getTextContent', 'processHeaders', 'feed', 'decodeFlowedText'],
  ],
  [
    LibraryParser.prototype,
    [
      ...['isInlineTextNode', 'isInlineMessageRfc822', 'collectNode', 'collectSubMessage'],
      ...['collectAttachment', 'addTextEntry', 'buildMessage'],
    ],
  ],
]
for (const [prototype, names] of needed)
  for (const name of names)
    if (typeof Reflect.get(prototype, name) !== 'function')
      throw new Error(`this version of postal-mime has no ${name}`)

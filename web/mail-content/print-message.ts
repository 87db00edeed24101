/**
 * Prints one message: who wrote what to whom, and its text as it is shown now, on white paper. It is put into a frame like
 * the one it is read in, where nothing runs or loads, so that the browser breaks it into pages by itself.
 */
import type { Message } from '#contract/messages.ts'
import { formatBytes, formatMoment } from '#web/lib/format.ts'
import { FRAME_PATH, PRINT_SANDBOX, roomOf } from './safe-room.ts'
import { frameStyle } from './safe-style.ts'

/** Browsers that do not say when they have printed have long done so. */
const KEPT_MS = 120_000

const printStyle = `
body { padding: 0; overflow-wrap: anywhere; }
header { margin: 0 0 16px; padding-bottom: 12px; border-bottom: 1px solid #c3c8d4; }
h1 { margin: 0 0 8px; font-size: 20px; line-height: 1.3; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 0; font-size: 12px; }
dt { color: #5a6072; } dd { margin: 0; }
.text { white-space: pre-wrap; }
summary { display: none !important; }
@page { margin: 16mm; }
`

/** `article`: where it is shown. */
export function printMessage(article: HTMLElement, message: Message): void {
  const frame = document.createElement('iframe')
  frame.src = FRAME_PATH
  frame.title = 'Print'
  frame.className = 'fixed -left-[9999px] h-px w-[210mm] border-0'
  frame.setAttribute('sandbox', PRINT_SANDBOX)
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  frame.addEventListener('load', () => {
    const room = roomOf(frame)
    if (!room) return frame.remove()
    const remove = () => frame.remove()
    write(room.document, article, message)
    room.addEventListener('afterprint', remove)
    setTimeout(remove, KEPT_MS)
    void picturesOf(room.document).then(() => room.print())
  })
  document.body.append(frame)
}

function write(paper: Document, article: HTMLElement, message: Message): void {
  paper.title = message.subject || '(no subject)'
  const style = paper.createElement('style')
  style.textContent = frameStyle + printStyle
  paper.head.append(style)
  paper.body.append(headOf(paper, message), bodyOf(paper, article))
  for (const details of paper.querySelectorAll('details')) details.open = true
}

const nameOf = ({ name, address }: { name: string; address: string }): string =>
  name ? `${name} <${address}>` : address

function headOf(paper: Document, message: Message): HTMLElement {
  const head = paper.createElement('header')
  const title = paper.createElement('h1')
  title.textContent = paper.title
  const list = paper.createElement('dl')
  const rows = [
    ['From', message.from ? nameOf(message.from) : ''],
    ['To', message.to.map(nameOf).join(', ')],
    ['Cc', message.cc.map(nameOf).join(', ')],
    ['Date', formatMoment(message.date)],
    [
      'Attachments',
      message.attachments
        .map(({ filename, size }) => `${filename} (${formatBytes(size)})`)
        .join(', '),
    ],
  ] as const
  for (const [name, value] of rows) {
    if (value === '') continue
    const [term, text] = [paper.createElement('dt'), paper.createElement('dd')]
    term.textContent = name
    text.textContent = value
    list.append(term, text)
  }
  head.append(title, list)
  return head
}

/** What is shown was made harmless already, and stays so: it is copied as a tree and never read as text. */
function bodyOf(paper: Document, article: HTMLElement): HTMLElement {
  const body = paper.createElement('div')
  const shown = article.querySelector<HTMLIFrameElement>(
    'iframe[title^="Message"]',
  )?.contentDocument
  if (shown) body.append(...[...shown.body.childNodes].map((node) => paper.importNode(node, true)))
  else {
    body.className = 'text'
    body.textContent = article.querySelector('[data-printed]')?.textContent ?? ''
  }
  return body
}

const picturesOf = (paper: Document): Promise<unknown> =>
  Promise.all([...paper.images].map((image) => image.decode().catch(() => undefined)))

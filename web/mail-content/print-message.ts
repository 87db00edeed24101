/**
 * Prints one message, its head and its body as it is shown, on white paper. The copy is in a frame with the same sandbox as the
 * mail frame, but for the print dialog: nothing runs or loads there, and the browser breaks it into pages by itself.
 */
import type { Message } from '#contract/messages.ts'
import { formatBytes, formatMoment } from '#web/lib/format.ts'
import { FRAME_PATH, frameWindowOf, PRINT_SANDBOX } from './frame-window.ts'
import { lendFonts } from './mail-fonts.ts'
import { frameStyle } from './safe-style.ts'

/** By then browsers without the afterprint event have printed. */
const REMOVE_AFTER_MS = 120_000

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

/** `article`: the element that shows the message. */
export function printMessage(article: HTMLElement, message: Message): void {
  const frame = document.createElement('iframe')
  frame.src = FRAME_PATH
  frame.title = 'Print'
  frame.className = 'fixed -left-[9999px] h-px w-[210mm] border-0'
  frame.setAttribute('sandbox', PRINT_SANDBOX)
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  frame.addEventListener('load', () => {
    const frameWindow = frameWindowOf(frame)
    if (!frameWindow) return frame.remove()
    const remove = () => frame.remove()
    write(frameWindow.document, article, message)
    frameWindow.addEventListener('afterprint', remove)
    setTimeout(remove, REMOVE_AFTER_MS)
    const whole = [picturesOf(frameWindow.document), lendFonts(frameWindow)]
    void Promise.all(whole).then(() => frameWindow.print())
  })
  document.body.append(frame)
}

function write(doc: Document, article: HTMLElement, message: Message): void {
  doc.title = message.subject || '(no subject)'
  const style = doc.createElement('style')
  style.textContent = frameStyle + printStyle
  doc.head.append(style)
  doc.body.append(headOf(doc, message), bodyOf(doc, article))
  for (const details of doc.querySelectorAll('details')) details.open = true
}

const nameOf = ({ name, address }: { name: string; address: string }): string =>
  name ? `${name} <${address}>` : address

function headOf(doc: Document, message: Message): HTMLElement {
  const head = doc.createElement('header')
  const title = doc.createElement('h1')
  title.textContent = doc.title
  const list = doc.createElement('dl')
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
    const [term, text] = [doc.createElement('dt'), doc.createElement('dd')]
    term.textContent = name
    text.textContent = value
    list.append(term, text)
  }
  head.append(title, list)
  return head
}

/** Copies the sanitised nodes and never parses them again, so that they stay safe. */
function bodyOf(doc: Document, article: HTMLElement): HTMLElement {
  const body = doc.createElement('div')
  const frameDocument = article.querySelector<HTMLIFrameElement>(
    'iframe[title^="Message"]',
  )?.contentDocument
  if (frameDocument)
    body.append(...[...frameDocument.body.childNodes].map((node) => doc.importNode(node, true)))
  else {
    body.className = 'text'
    body.textContent = article.querySelector('[data-printed]')?.textContent ?? ''
  }
  return body
}

const picturesOf = (doc: Document): Promise<unknown> =>
  Promise.all([...doc.images].map((image) => image.decode().catch(() => undefined)))

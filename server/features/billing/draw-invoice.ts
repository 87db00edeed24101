/** Draws the document of an invoice or a credit note as a PDF file of A4 pages, on the thread of `invoice-pdf.ts` (decision 061). */
import { readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { InvoiceDocument } from '#contract/billing.ts'
import { formatAmount, formatRate } from '#contract/money.ts'
import { longDate, monthName } from './invoice-dates.ts'

type Pdf = PDFKit.PDFDocument

const MARGIN = 56
const WIDTH = 595.28 - 2 * MARGIN
const HEIGHT = 841.89
/** Below it is the footer. */
const BOTTOM = HEIGHT - 88
const INK = '#1b1e27'
const SOFT = '#5b6070'
const RULE = '#d9dbe1'

const fontFiles = [
  import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
]

let fonts: Promise<Buffer[]> | undefined

/** The library and the fonts are loaded when the first invoice is drawn. */
const openPdf = async ({ number, kind, seller, date }: InvoiceDocument): Promise<Pdf> => {
  fonts ??= Promise.all(fontFiles.map((url) => readFile(fileURLToPath(url))))
  const [regular, bold] = await fonts
  if (!regular || !bold) throw new Error('the fonts of invoices are not there')
  const { default: PDFDocument } = await import('pdfkit')
  const Title = `${titleOf({ kind })} ${number}`
  const pdf = new PDFDocument({
    ...{ size: 'A4', margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 } },
    ...{ bufferPages: true, lang: 'en', displayTitle: true },
    info: { Title, Author: shown(seller.name), CreationDate: new Date(date) },
  })
  return pdf.registerFont('regular', regular).registerFont('bold', bold)
}

/** An invoice may have thousands of lines: between them the thread says that it is there. */
const LINES_A_TURN = 20

export const drawInvoice = async (invoice: InvoiceDocument): Promise<Buffer> => {
  const pdf = await openPdf(invoice)
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise((resolve, reject) => pdf.on('end', resolve).on('error', reject))
  drawHead(pdf, invoice)
  drawRow(pdf, HEADERS)
  for (const [at, line] of invoice.lines.entries()) {
    if (at % LINES_A_TURN === LINES_A_TURN - 1) await nextTurn()
    const sums = [line.unitCents, line.amountCents].map((cents) => sumIn(invoice, cents))
    drawRow(pdf, [line.domain, String(line.quantity), ...sums])
  }
  drawTotals(pdf, invoice)
  drawTerms(pdf, invoice)
  drawFooters(pdf, invoice)
  pdf.end()
  await ended
  return Buffer.concat(parts)
}

const titleOf = ({ kind }: Pick<InvoiceDocument, 'kind'>): string =>
  kind === 'credit' ? 'Credit note' : 'Invoice'
const sumIn = ({ currency }: InvoiceDocument, cents: number): string =>
  formatAmount(cents, currency)

/**
 * Without controls and signs that turn the direction of the text. A long word may be broken anywhere: the library would measure
 * it again and again to find out where.
 */
const shown = (text: string): string =>
  text
    .toWellFormed()
    .replace(/(?!\n)\p{C}/gu, '')
    .replace(/\S{46,}/gu, (word) => word.replace(/.{16}/gu, '$&\u200b'))

type TextStyle = PDFKit.Mixins.TextOptions & { isBold?: boolean; isSoft?: boolean; size?: number }

/** Returns where it ends. */
const write = (pdf: Pdf, text: string, x: number, y: number, style: TextStyle = {}): number => {
  const { isBold = false, isSoft = false, size = 9.5, ...options } = style
  pdf.font(isBold ? 'bold' : 'regular', size).fillColor(isSoft ? SOFT : INK)
  pdf.text(shown(text), x, y, { lineGap: 2, ...options })
  return pdf.y
}

const drawHead = (pdf: Pdf, invoice: InvoiceDocument): void => {
  const { seller, buyer, number, corrects } = invoice
  const top = write(pdf, `${titleOf(invoice)} ${number}`, MARGIN, MARGIN, {
    isBold: true,
    size: 18,
  })
  const vatId = (id: string) => id && `VAT ID ${id}`
  const isInvoice = invoice.kind === 'invoice'
  const blocks = [
    ['From', seller.name, seller.address, vatId(seller.vatId), seller.email],
    ['To', buyer.name, buyer.address, vatId(buyer.vatId)],
    ['Issued', longDate(invoice.date), `For ${monthName(invoice.periodStart)}`],
    isInvoice ? ['Due', longDate(invoice.dueAt)] : ['Corrects', `Invoice ${corrects?.number}`],
  ]
  const width = (WIDTH - 48) / 4
  const ends = blocks.map(([title = '', ...lines], at) => {
    const x = MARGIN + at * (width + 16)
    const y = write(pdf, title, x, top + 18, { isSoft: true, width, size: 8 })
    return write(pdf, lines.filter(Boolean).join('\n'), x, y + 1, { width })
  })
  pdf.y = Math.max(...ends) + 22
  if (invoice.note !== '') pdf.y = write(pdf, invoice.note, MARGIN, pdf.y, { width: WIDTH }) + 14
}

const HEADERS = ['Mailboxes', 'Quantity', 'Price a month', 'Amount']
type Figures = Pick<TextStyle, 'align' | 'features'>
type Column = Figures & { x: number; width: number }
/** Digits of one width stand below each other. */
const figures: Figures = { align: 'right', features: ['tnum'] }
const COLUMNS: [Column, ...Column[]] = [
  { x: MARGIN, width: WIDTH - 270, align: 'left' },
  { x: MARGIN + WIDTH - 260, width: 70, ...figures },
  { x: MARGIN + WIDTH - 180, width: 90, ...figures },
  { x: MARGIN + WIDTH - 80, width: 80, ...figures },
]

/** On the next page where it does not fit, under the headers again. */
const drawRow = (pdf: Pdf, cells: readonly string[]): void => {
  const isHead = cells === HEADERS
  pdf.font('regular', 9.5)
  const needed = pdf.heightOfString(shown(cells[0] ?? ''), { width: COLUMNS[0].width, lineGap: 2 })
  if (needsPage(pdf, needed + 14) && !isHead) drawRow(pdf, HEADERS)
  const top = pdf.y + 5
  const style = isHead ? { isSoft: true, size: 8 } : {}
  const ends = COLUMNS.map(({ x, ...place }, at) =>
    write(pdf, cells[at] ?? '', x, top, { ...style, ...place }),
  )
  drawRule(pdf, Math.max(...ends) + 4)
}

const needsPage = (pdf: Pdf, height: number): boolean => {
  if (pdf.y + height <= BOTTOM) return false
  pdf.addPage()
  pdf.y = MARGIN
  return true
}

const drawRule = (pdf: Pdf, y: number): void => {
  pdf
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.5)
    .strokeColor(RULE)
    .stroke()
  pdf.y = y
}

const drawTotals = (pdf: Pdf, invoice: InvoiceDocument): void => {
  const { taxRate, taxName, netCents, taxCents, amountCents, currency } = invoice
  const total = [`Total ${currency.toUpperCase()}`, sumIn(invoice, amountCents)] as const
  const tax = [
    ['Net', sumIn(invoice, netCents)],
    [`${taxName} ${formatRate(taxRate)}`, sumIn(invoice, taxCents)],
  ] as const
  needsPage(pdf, 70)
  pdf.y += 8
  for (const [name, sum] of taxRate > 0 ? [...tax, total] : [total]) {
    const isBold = name === total[0]
    const y = pdf.y
    write(pdf, name, MARGIN + WIDTH - 260, y, { isBold, width: 170, align: 'right' })
    pdf.y = write(pdf, sum, MARGIN + WIDTH - 80, y, { isBold, width: 80, ...figures }) + 3
  }
}

/** What happened to it since is no part of the document, and stands below it. */
const drawTerms = (pdf: Pdf, invoice: InvoiceDocument): void => {
  const { paymentDetails, dueAt, amountCents, paidAt, credits, seller } = invoice
  const isInvoice = invoice.kind === 'invoice'
  const howToPay = paymentDetails || (seller.email && `Ask ${seller.email} how to pay.`)
  const texts = [
    isInvoice && `Please pay ${sumIn(invoice, amountCents)} by ${longDate(dueAt)}.`,
    isInvoice && howToPay,
    paidAt && `Paid on ${longDate(paidAt)}.`,
    ...credits.map(
      (credit) => `Credit note ${credit.number}: ${sumIn(invoice, credit.amountCents)}.`,
    ),
  ].filter((text) => typeof text === 'string' && text !== '')
  for (const text of texts as string[]) {
    const height = pdf
      .font('regular', 9.5)
      .heightOfString(shown(text), { width: WIDTH, lineGap: 2 })
    needsPage(pdf, height + 10)
    pdf.y = write(pdf, text, MARGIN, pdf.y + 10, { width: WIDTH })
  }
}

const drawFooters = (pdf: Pdf, invoice: InvoiceDocument): void => {
  const { start, count } = pdf.bufferedPageRange()
  const { seller, number } = invoice
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(start + page)
    const text = `${seller.name} · ${titleOf(invoice)} ${number} · Page ${page + 1} of ${count}`
    const place = { width: WIDTH, height: 12, ellipsis: true, lineBreak: false }
    write(pdf, text, MARGIN, HEIGHT - 48, { isSoft: true, size: 8, ...place })
  }
}

/** Small real files for the sample mail: a PDF and pictures, generated so that the repository contains no binary files. */
import { crc32, deflateSync } from 'node:zlib'
import type { WrittenAttachment } from '#server/standards/message-writer.ts'

export const aPdf = (filename: string, lines: readonly string[]): WrittenAttachment => ({
  filename,
  contentType: 'application/pdf',
  content: pdf(lines),
})

type Colour = readonly [red: number, green: number, blue: number]

/** A picture of hills under a sky in these colours. With a `contentId` it becomes a part of the HTML. */
export const aPicture = (
  filename: string,
  sky: Colour,
  hills: Colour,
  contentId?: string,
): WrittenAttachment => ({
  filename,
  contentType: 'image/png',
  content: png(600, 240, (x, y) => landscape(x / 600, y / 240, sky, hills)),
  ...(contentId === undefined ? {} : { contentId }),
})

export const aTable = (
  filename: string,
  rows: readonly (readonly string[])[],
): WrittenAttachment => ({
  filename,
  contentType: 'text/csv',
  content: Buffer.from(rows.map((cells) => `${cells.join(',')}\r\n`).join('')),
})

export const anInvitation = (subject: string, start: Date): WrittenAttachment => {
  const stamp = (at: Date) => `${at.toISOString().replace(/[-:]/g, '').slice(0, 15)}Z`
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Harbourlight//Calendar//EN', 'METHOD:REQUEST'],
    ...['BEGIN:VEVENT', `UID:${stamp(start)}@harbourlight.example`, `DTSTAMP:${stamp(start)}`],
    ...[`DTSTART:${stamp(start)}`, `DTEND:${stamp(new Date(start.getTime() + 3_600_000))}`],
    ...[`SUMMARY:${subject}`, 'END:VEVENT', 'END:VCALENDAR', ''],
  ]
  const content = Buffer.from(lines.join('\r\n'))
  return { filename: 'invite.ics', contentType: 'text/calendar', content }
}

/** One page in Helvetica. */
const pdf = (lines: readonly string[]): Buffer => {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n')
  const text = `BT /F1 14 Tf 72 770 Td 22 TL\n${shown}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, n) => {
    const offset = file.length
    file += `${n + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.from(
    `${file}${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  )
}

const landscape = (x: number, y: number, sky: Colour, hills: Colour): Colour => {
  const near = 0.72 + 0.1 * Math.sin(x * 7 + 1)
  const far = 0.55 + 0.12 * Math.sin(x * 4 + 4)
  if ((x - 0.78) ** 2 * 6 + (y - 0.28) ** 2 < 0.012) return [255, 244, 214]
  const [colour, light] = y > near ? [hills, 0.75] : y > far ? [hills, 1.15] : [sky, 1 + 0.3 * y]
  const shade = (part: number) => Math.min(255, Math.round(part * light))
  return [shade(colour[0]), shade(colour[1]), shade(colour[2])]
}

const png = (width: number, height: number, at: (x: number, y: number) => Colour): Buffer => {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(at(x, y), y * (1 + width * 3) + 1 + x * 3)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits per channel, RGB.
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

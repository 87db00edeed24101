import { expect, test } from 'vitest'
import { piecesOf } from '#server/lib/files/pieces.ts'
import { mailContent } from './mail-content.ts'

const contentOf = (text: string, pieceBytes: number) => {
  const raw = Buffer.from(text)
  return mailContent({ size: raw.length, pieces: () => piecesOf(raw, pieceBytes) })
}

test.each([
  ['in ASCII', 'Subject: x\r\n\r\nHello\r\n', 'Subject: x\r\n\r\n', true],
  ['other letters in its text', 'Subject: x\r\n\r\nGrüße\r\n', 'Subject: x\r\n\r\n', false],
  ['other letters in its header', 'Subject: ü\r\n\r\nx\r\n', 'Subject: ü\r\n\r\n', false],
  ['nothing but a header', 'Subject: x\r\n', 'Subject: x\r\n', true],
])('%s: the same wherever its pieces end', async (_name, text, header, isAscii) => {
  for (const pieceBytes of [1, 5, 13, 1_000]) {
    const content = await contentOf(text, pieceBytes)
    expect([content.header.toString(), content.isAscii]).toEqual([header, isAscii])
    expect(Buffer.concat(await Array.fromAsync(content.pieces())).toString()).toBe(text)
  }
})

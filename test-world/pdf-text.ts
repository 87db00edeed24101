/** Reads the text of each page of a PDF file that pdfkit wrote: what a reader would copy. */
import { inflateSync } from 'node:zlib'

type Objects = Map<string, { dictionary: string; content: string }>

/** @throws when it is no PDF file, or has no page */
export const pdfPages = (file: Buffer): string[] => {
  const text = file.toString('latin1')
  if (!text.startsWith('%PDF-') || !text.trimEnd().endsWith('%%EOF')) throw new Error('no PDF file')
  const objects = objectsIn(text)
  const pages = [...objects.values()].filter(({ dictionary }) => /\/Type \/Page\b/.test(dictionary))
  if (pages.length === 0) throw new Error('a PDF file without a page')
  return pages.map(({ dictionary }) => {
    const at = (key: string) => objects.get(referenceIn(dictionary, key))
    const fonts = at('Resources')?.dictionary ?? ''
    const letters = [...fonts.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(
      ([, name = '', id = '']) => [name, lettersOf(objects, id)] as const,
    )
    return written(at('Contents')?.content ?? '', new Map(letters))
  })
}

const objectsIn = (text: string): Objects => {
  const found = text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)
  return new Map(
    [...found].map(([, id = '', body = '']) => {
      const [dictionary = '', stream] = body.split(/\nstream\n/)
      return [id, { dictionary, content: stream === undefined ? '' : inflated(stream) }]
    }),
  )
}

const inflated = (stream: string): string =>
  inflateSync(Buffer.from(stream.replace(/\nendstream$/, ''), 'latin1')).toString('latin1')

const referenceIn = (dictionary: string, key: string): string =>
  new RegExp(`/${key} (\\d+) 0 R`).exec(dictionary)?.[1] ?? ''

/** The letters of a font by the number of their glyph. */
const lettersOf = (objects: Objects, fontId: string): string[] => {
  const map = objects.get(referenceIn(objects.get(fontId)?.dictionary ?? '', 'ToUnicode'))
  const ranges = map?.content.matchAll(/<[\da-f]{4}> <[\da-f]{4}> \[(.*?)\]/g) ?? []
  return [...ranges]
    .flatMap(([, all = '']) => [...all.matchAll(/<([\da-f ]+)>/g)])
    .map(([, hex = '']) => Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'))
}

/** One line for each text that is placed. */
const written = (content: string, fonts: Map<string, string[]>): string =>
  [...content.matchAll(/BT([\s\S]*?)ET/g)]
    .map(([, block = '']) => {
      const letters = fonts.get(/\/(F\d+) [\d.]+ Tf/.exec(block)?.[1] ?? '') ?? []
      const glyphs = [...block.matchAll(/<([\da-f]+)>/g)].flatMap(
        ([, hex = '']) => hex.match(/.{4}/g) ?? [],
      )
      return glyphs.map((glyph) => letters[Number.parseInt(glyph, 16)] ?? '').join('')
    })
    .join('\n')

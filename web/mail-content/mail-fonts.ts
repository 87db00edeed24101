/**
 * Lends a mail the letters of our pages. A mail frame loads nothing by itself (decision 008): the page fetches the files that its
 * own style sheets name and hands over their bytes, of each alphabet only when the text has letters of it.
 */
import type { FrameWindow } from './frame-window.ts'

/** Of our style sheets. */
const OUR_FAMILY = 'Inter Variable'
/** Of the frame: safe-style.ts names it. */
const FAMILY = 'Inter'
const WEIGHTS = '100 900'
/** A longer text has had its alphabets by then. */
const MAX_TEXT_LENGTH = 100_000

type Face = { url: string; range: string }

/** The files that a frame has. */
const lent = new WeakMap<Document, Set<string>>()
const files = new Map<string, Promise<ArrayBuffer>>()

/** Settles when the letters are there, or cannot be had: then the text has those of the system. */
export async function lendFonts(frameWindow: FrameWindow): Promise<void> {
  const text = (frameWindow.document.body.textContent ?? '').slice(0, MAX_TEXT_LENGTH)
  const needed = declaredFaces().filter(({ range }) => hasLetterOf(text, range))
  await Promise.all(needed.map((face) => lend(frameWindow, face).catch(() => undefined)))
}

async function lend(frameWindow: FrameWindow, { url, range: unicodeRange }: Face): Promise<void> {
  const bytes = await readOnce(url)
  const has = lent.get(frameWindow.document) ?? new Set()
  if (has.has(url)) return
  lent.set(frameWindow.document, has.add(url))
  const face = new frameWindow.FontFace(FAMILY, bytes, { weight: WEIGHTS, unicodeRange })
  frameWindow.document.fonts.add(face)
  await face.load()
}

function readOnce(url: string): Promise<ArrayBuffer> {
  const known = files.get(url)
  if (known) return known
  const file = fetch(url).then((answer) => {
    if (!answer.ok) throw new Error(`the font answered ${answer.status}`)
    return answer.arrayBuffer()
  })
  files.set(url, file)
  file.catch(() => files.delete(url))
  return file
}

function declaredFaces(): Face[] {
  return [...document.styleSheets].flatMap(rulesOf).flatMap((rule) => {
    if (!(rule instanceof CSSFontFaceRule)) return []
    const { style } = rule
    const isOurs = style.getPropertyValue('font-family').includes(OUR_FAMILY)
    const url = /url\("?([^")]+)"?\)/.exec(style.getPropertyValue('src'))?.[1]
    const base = rule.parentStyleSheet?.href ?? document.baseURI
    const range = style.getPropertyValue('unicode-range')
    return isOurs && url ? [{ url: new URL(url, base).href, range }] : []
  })
}

/** None of a style sheet that an extension of the browser has added: reading those of another origin is refused. */
function rulesOf(sheet: CSSStyleSheet): CSSRule[] {
  try {
    return [...sheet.cssRules]
  } catch {
    return []
  }
}

/** `range`: the value of unicode-range, such as 'U+0100-02BA, U+1F??'. */
export function hasLetterOf(text: string, range: string): boolean {
  const spans = range.split(',').map((part) => {
    const [from = '', to = from] = part.trim().replace(/^u\+/i, '').split('-')
    return [from.replaceAll('?', '0'), to.replaceAll('?', 'F')].map((code) =>
      Number.parseInt(code, 16),
    ) as [number, number]
  })
  return [...new Set(text)].some((letter) => {
    const code = letter.codePointAt(0) ?? 0
    return spans.some(([from, to]) => code >= from && code <= to)
  })
}

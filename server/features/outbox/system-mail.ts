/** The one template of every system mail: the same words as text and as HTML (decision 063). Pure. */
import { type Letter, letterHtml, type Paragraph } from './letter-html.ts'

export type Mail = { subject: string; text: string; html: string; link: string | null }

/** Mail clients turn such names into links; one that turns the direction of writing shows the address behind it backwards. */
export const isLikeALink = (name: string): boolean => {
  const plain = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return LINK.test(plain) || TURNING.test(name)
}

/** Browsers take the ideographic full stop for a dot, too. */
const LINK = /:\/\/|@|[\p{L}\p{N}-][.\u3002]\p{L}{2}|\d\.\d{1,3}\.\d{1,3}\.\d/u
const TURNING = /[\u202a-\u202e\u2066-\u2069]/

/** For mails to its Admins. */
export const workspaceNamed = (name: string): string =>
  isLikeALink(name) ? 'your workspace' : `the workspace “${name}”`

/** A stranger may enter another person's address, and choose a name that looks like a link. */
export const greet = (firstName: string): string =>
  isLikeALink(firstName) ? 'Hello,' : `Hello ${firstName},`

/** Text of strangers for a mail of ours: links are replaced, and the length is cut. */
export const quoted = (text: string, most: number): string => {
  const plain = text.replace(/[a-z][a-z\d+.-]*:\/\/\S*/gi, '(a link)')
  return plain.length > most ? `${plain.slice(0, most).toWellFormed()}...` : plain
}

type Content = {
  subject: string
  /** What a list of mails shows behind the subject. Without it: the first paragraph. */
  preview?: string
  greeting: string
  before: readonly Paragraph[]
  /** Its link leads to this installation, whose host the footer names. */
  button: { label: string; link: string }
  after: readonly Paragraph[]
  /** Why this address gets the mail: the last sentence of the footer but for `ending`. */
  reason?: string
  /** How to get no more of these mails. */
  ending?: { text: string; link: string }
}

const ANY_REASON = 'You get this mail because this address is in use here.'
const MAX_PREVIEW = 140

export const compose = (content: Content): Mail => {
  const { preview, reason = ANY_REASON, ending = null, ...words } = content
  const { subject, button } = words
  const letter: Letter = {
    ...words,
    preview: cut(preview ?? firstTextOf(words.before)),
    ...{ reason, ending, host: new URL(button.link).host },
  }
  return { subject, link: button.link, text: letterText(letter), html: letterHtml(letter) }
}

const firstTextOf = (paragraphs: readonly Paragraph[]): string =>
  paragraphs.find((paragraph) => typeof paragraph === 'string') ?? ''

const cut = (text: string): string =>
  text.length > MAX_PREVIEW ? `${text.slice(0, MAX_PREVIEW).toWellFormed()}...` : text

/** The link stands alone on its line. '-- ' begins what mail programs show as a signature. */
const letterText = ({ greeting, before, button, after, ...footer }: Letter): string => {
  const paragraphs = [greeting, ...before.map(textOf), button.link, ...after.map(textOf)]
  return `${[...paragraphs, footerText(footer)].join('\n\n')}\n`
}

const textOf = (paragraph: Paragraph): string =>
  typeof paragraph === 'string' ? paragraph : paragraph.value

const footerText = ({ host, reason, ending }: Pick<Letter, 'host' | 'reason' | 'ending'>): string =>
  [
    '-- ',
    `Mailstead at ${host}`,
    reason,
    ...(ending ? [`${ending.text} ${ending.link}`] : []),
  ].join('\n')

/** Writes BODY and BODYSTRUCTURE (RFC 9051 §7.5.2). */
import type { Parameters, Part } from '#server/standards/mime/structure/mail-structure.ts'
import { envelopeText } from './envelope-text.ts'
import { headerText } from './strings.ts'

/** `isExtended`: BODYSTRUCTURE. */
type Writing = { isUtf8: boolean; isExtended: boolean }

/** By templates: this is written for each mail of a folder that a program opens first. */
export const bodyText = (part: Part, writing: Writing): string => {
  const { parts, subtype } = part
  const { isUtf8, isExtended } = writing
  const parameters = () => parametersText(part.parameters, writing)
  if (parts !== undefined) {
    let inner = ''
    for (const each of parts) inner += bodyText(each, writing)
    const more = isExtended ? ` ${parameters()}${endText(part, writing)}` : ''
    return `(${inner} ${headerText(subtype, isUtf8)}${more})`
  }
  const type = `${headerText(part.type, isUtf8)} ${headerText(subtype, isUtf8)} ${parameters()}`
  const id = `${headerText(part.id, isUtf8)} ${headerText(part.description, isUtf8)}`
  const size = `${headerText(part.encoding ?? '7bit', isUtf8)} ${part.end - part.body}`
  const more = isExtended ? ` ${headerText(part.md5, isUtf8)}${endText(part, writing)}` : ''
  return `(${type} ${id} ${size}${contentText(part, writing)}${more})`
}

/** Of a message inside, and of text; each begins with a space. */
const contentText = ({ message, lines }: Part, writing: Writing): string => {
  const inner =
    message === undefined
      ? ''
      : ` ${envelopeText(message.envelope, writing.isUtf8)} ${bodyText(message.part, writing)}`
  return lines === undefined ? inner : `${inner} ${lines}`
}

/** Disposition, language and location; begins with a space. */
const endText = (part: Part, writing: Writing): string => {
  const { disposition, language, location } = part
  const { isUtf8 } = writing
  const shown =
    disposition === undefined
      ? 'NIL'
      : `(${headerText(disposition.value, isUtf8)} ${parametersText(disposition.parameters, writing)})`
  const spoken =
    language === undefined ? 'NIL' : `(${language.map((tag) => headerText(tag, isUtf8)).join(' ')})`
  return ` ${shown} ${spoken} ${headerText(location, isUtf8)}`
}

const parametersText = (parameters: Parameters | undefined, { isUtf8 }: Writing): string =>
  parameters === undefined
    ? 'NIL'
    : `(${parameters.map((each) => headerText(each, isUtf8)).join(' ')})`

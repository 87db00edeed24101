/** Where the bytes of a section are (RFC 9051 §6.4.5.1). */
import type { MailStructure, Part } from '#server/standards/mime/structure/mail-structure.ts'
import type { SectionItem } from './command.ts'

/** `part`: whose encoding counts for BINARY. */
export type Section = { start: number; end: number; part: Part }

/** null: the mail has no such section. */
export const findSection = (
  { part: root }: MailStructure,
  { part: numbers, of }: Pick<SectionItem, 'part' | 'of'>,
): Section | null => {
  if (numbers.length === 0) return sectionOf(root, of)
  const part = findPart(root, numbers)
  if (part === null) return null
  if (of === 'MIME') return { start: part.header, end: part.body, part }
  if (of === 'ALL') return { start: part.body, end: part.end, part }
  // Header and text of a part are those of the message in it.
  return part.message === undefined ? null : sectionOf(part.message.part, of)
}

const sectionOf = (part: Part, of: SectionItem['of']): Section => {
  if (of === 'ALL') return { start: part.header, end: part.end, part }
  if (of === 'TEXT') return { start: part.body, end: part.end, part }
  return { start: part.header, end: part.body, part }
}

const findPart = (root: Part, numbers: readonly number[]): Part | null => {
  let holder = root
  let isMail = true
  let part: Part | undefined
  for (const number of numbers) {
    // The one part of a mail without parts is its body.
    if (holder.parts !== undefined) part = holder.parts[number - 1]
    else part = isMail && number === 1 ? holder : undefined
    if (part === undefined) return null
    isMail = part.message !== undefined
    holder = part.message?.part ?? part
  }
  return part ?? null
}

/**
 * What is stored of a mail's structure (decision 090): its JSON, and the two answers of it that mail programs want of whole
 * folders, ready to be sent.
 */
import type { MailStructure } from '#server/standards/mime/structure/mail-structure.ts'
import { readStructure } from '#server/standards/mime/structure/read-structure.ts'
import { bodyText } from './body-text.ts'
import { envelopeText } from './envelope-text.ts'

export type WrittenStructure = {
  /** JSON of the `MailStructure`. */
  structure: string
  /** ENVELOPE and BODYSTRUCTURE for a client that does not take UTF-8. */
  envelope: string
  bodyStructure: string
}

export const writeStructure = (structure: MailStructure): WrittenStructure => ({
  structure: JSON.stringify(structure),
  envelope: envelopeText(structure.envelope, false),
  bodyStructure: bodyText(structure.part, { isUtf8: false, isExtended: true }),
})

export const structureToStore = (raw: Uint8Array): WrittenStructure =>
  writeStructure(readStructure(raw))

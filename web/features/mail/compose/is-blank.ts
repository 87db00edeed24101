type Written = {
  body: string
  subject: string
  attachments: readonly unknown[]
  quotation: string
  isQuoted: boolean
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const picturesIn = (html: string): number => html.match(/<img\b/gi)?.length ?? 0

/** Whether there is nothing to read in it: no subject, no file, and no text but the signature. */
export const isBlank = (written: Written, signature: string): boolean =>
  written.subject.trim() === '' &&
  written.attachments.length === 0 &&
  !(written.isQuoted && written.quotation !== '') &&
  textOf(written.body).replace(textOf(signature), '').trim() === '' &&
  picturesIn(written.body) <= picturesIn(signature)

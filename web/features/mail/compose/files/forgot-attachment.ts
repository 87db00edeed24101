type Written = { body: string; subject: string; attachments: readonly unknown[] }

const speaksOfFile = /\b(?:attach(?:ed|ing|ment|ments)?|enclosed)\b/i

const textOf = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

/** Whether the text speaks of an attachment and there is none. What stood there at the start, a signature, says nothing. */
export const forgotAttachment = (written: Written, start: { body: string }): boolean =>
  written.attachments.length === 0 &&
  speaksOfFile.test(
    `${written.subject} ${textOf(written.body).replace(textOf(start.body).trim(), '')}`,
  )

/** Paragraphs with `code` in them, as descriptions of the document have it. */
export function Marked({ text }: { text: string }) {
  return text.split('\n\n').map((paragraph) => (
    <p key={paragraph} className="mt-2 text-pretty text-sm first:mt-1">
      {paragraph.split('`').map((part, n) =>
        n % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
          <code key={n} className="wrap-anywhere rounded bg-sunken px-1 py-0.5 text-xs">
            {part}
          </code>
        ) : (
          part
        ),
      )}
    </p>
  ))
}

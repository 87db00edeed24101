/** A sentence in which *words* are what a program shows, and `words` are to be typed as they stand. */
export function MarkedText({ text }: { text: string }) {
  let at = 0
  return text.split(/(\*[^*]+\*|`[^`]+`)/).map((part) => {
    const key = at
    at += part.length
    const inner = part.slice(1, -1)
    if (part.startsWith('*'))
      return (
        <strong key={key} className="font-medium text-ink">
          {inner}
        </strong>
      )
    return part.startsWith('`') ? (
      <code
        key={key}
        className="wrap-anywhere rounded bg-sunken px-1 py-0.5 font-mono text-ink text-xs"
      >
        {inner}
      </code>
    ) : (
      part
    )
  })
}

/** What stands in the cells of several lists of operators. */

export function Person({ name, email }: { name: string; email: string }) {
  return (
    <span className="grid">
      <span className="truncate font-medium" title={name}>
        {name}
      </span>
      <span className="truncate text-soft text-xs" title={email}>
        {email}
      </span>
    </span>
  )
}

export function OneLine({ text }: { text: string }) {
  return (
    <span className="block truncate" title={text}>
      {text}
    </span>
  )
}

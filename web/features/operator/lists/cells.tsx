/** What stands in the cells of several lists of operators. */
import { Link } from 'react-router'

type PersonProps = {
  name: string
  email: string
  /** Their page. */
  to?: string
}

export function Person({ name, email, to }: PersonProps) {
  return (
    <span className="grid">
      {to === undefined ? (
        <span className="truncate font-medium" title={name}>
          {name}
        </span>
      ) : (
        <LinkedLine text={name || email} to={to} />
      )}
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

/** The way to the page of what the row is about. */
export function LinkedLine({ text, to }: { text: string; to: string }) {
  return (
    <Link
      to={to}
      dir="auto"
      title={text}
      className="block min-w-0 truncate py-0.5 font-medium underline-offset-4 hover:underline"
    >
      {text}
    </Link>
  )
}

import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '#web/ui/form/button.tsx'

type AuthHeadingProps = { title: string; children?: ReactNode }

export function AuthHeading({ title, children }: AuthHeadingProps) {
  return (
    <header className="mb-7 grid gap-1.5">
      <h1 tabIndex={-1} className="wrap-anywhere font-semibold text-2xl tracking-tight">
        {title}
      </h1>
      {children && <p className="wrap-anywhere text-pretty text-sm text-soft">{children}</p>}
    </header>
  )
}

/** `state`: history state for the page that the link leads to. */
export function BackLink({ to, state }: { to: string; state?: unknown }) {
  return (
    <Button asChild variant="quiet" size="small" className="-ml-2.5 mb-5 self-start">
      <Link to={to} state={state}>
        <ArrowLeft aria-hidden />
        Back
      </Link>
    </Button>
  )
}

/** The 'or' between the form and third-party sign-in. */
export function OtherWay() {
  return (
    <div className="my-5 flex items-center gap-3 text-soft text-xs">
      <span aria-hidden className="h-px flex-1 bg-line" />
      or
      <span aria-hidden className="h-px flex-1 bg-line" />
    </div>
  )
}

/** A link within text: coloured, underlined on hover, with a target large enough for a thumb. */
export const textLink =
  'rounded-sm py-0.5 font-medium text-accent-ink text-sm underline-offset-4 hover:underline'

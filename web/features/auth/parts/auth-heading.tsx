import type { ReactNode } from 'react'

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

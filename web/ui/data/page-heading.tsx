import type { ReactNode } from 'react'

type PageHeadingProps = { title: string; subtitle?: ReactNode; actions?: ReactNode }

/** The only h1 of a page. It takes the focus after navigation, so it renders before the data has loaded. */
export function PageHeading({ title, subtitle, actions }: PageHeadingProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="grid min-w-0 gap-1">
        <h1 tabIndex={-1} className="wrap-anywhere font-semibold text-2xl tracking-tight">
          {title}
        </h1>
        {subtitle && <p className="text-soft text-sm">{subtitle}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  )
}

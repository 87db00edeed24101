import { formatCount } from '#web/lib/format.ts'

/** `colour` is a background class of the look. */
export type Part = readonly [label: string, count: number, colour: string]

type PartsProps = { of: number; label: string; parts: readonly Part[] }

/** What a figure is made of: as a bar for the eye, and in words. */
export function Parts({ of, label, parts }: PartsProps) {
  const rest = of - parts.reduce((sum, [, count]) => sum + count, 0)
  return (
    <div className="grid gap-2.5">
      <div aria-hidden className="flex h-1.5 gap-0.5 overflow-hidden rounded-full bg-hover">
        {parts.map(
          ([name, count, colour]) =>
            count > 0 && (
              <span key={name} style={{ flexGrow: count }} className={`min-w-1.5 ${colour}`} />
            ),
        )}
        <span style={{ flexGrow: rest }} />
      </div>
      <ul
        aria-label={label}
        className="flex @max-[34rem]:flex-col flex-wrap gap-x-2 gap-y-1 tracking-tight"
      >
        {parts.map(([name, count, colour]) => (
          <li key={name} className="flex items-center gap-1 whitespace-nowrap text-soft">
            <span aria-hidden className={`size-1.5 rounded-full ${colour}`} />
            <span>
              <span className="font-medium text-ink tabular-nums">{formatCount(count)}</span> {name}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

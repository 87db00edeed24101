import { formatCount } from '#web/lib/format.ts'

/** `colour` is a background class of the look. */
export type Part = readonly [label: string, count: number, colour: string]

/** What a figure is made of: as a bar for the eye, and in words. */
export function Parts({ label, parts }: { label: string; parts: readonly Part[] }) {
  return (
    <div className="grid gap-2.5">
      <div aria-hidden className="flex h-1.5 gap-0.5 overflow-hidden rounded-full bg-hover">
        {parts.map(
          ([name, count, colour]) =>
            count > 0 && (
              <span key={name} style={{ flexGrow: count }} className={`min-w-1.5 ${colour}`} />
            ),
        )}
      </div>
      <ul aria-label={label} className="flex flex-wrap gap-x-3 gap-y-1">
        {parts.map(([name, count, colour]) => (
          <li key={name} className="flex items-center gap-1.5 whitespace-nowrap text-soft">
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

import { cn } from '#web/ui/cn.ts'

/** What every place has room for; and of a longer name the last, with what kind of file it is. */
const SHORT = 16
const END = 10

/** The name of a file in one line. What there is no room for is cut in the middle: an `.exe` at its end is always seen. */
export function FileName({ name, className }: { name: string; className?: string }) {
  const characters = [...name]
  if (characters.length <= SHORT) return <bdi className={className}>{name}</bdi>
  return (
    <bdi className={cn('flex min-w-0', className)} dir="auto">
      <span className="sr-only">{name}</span>
      <span aria-hidden className="overflow-hidden text-ellipsis whitespace-pre">
        {characters.slice(0, -END).join('')}
      </span>
      <span aria-hidden className="shrink-0 whitespace-pre">
        {characters.slice(-END).join('')}
      </span>
    </bdi>
  )
}

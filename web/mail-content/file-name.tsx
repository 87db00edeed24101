import { cn } from '#web/ui/cn.ts'

/** Characters that fit everywhere. Of a longer name the last END_LENGTH characters, with the extension, always stay. */
const SHORT_LENGTH = 16
const END_LENGTH = 10

/** A file name on one line. A long name is cut in the middle, so that a final `.exe` is always visible. */
export function FileName({ name, className }: { name: string; className?: string }) {
  const characters = [...name]
  if (characters.length <= SHORT_LENGTH) return <bdi className={className}>{name}</bdi>
  return (
    <bdi className={cn('flex min-w-0', className)} dir="auto">
      <span className="sr-only">{name}</span>
      <span aria-hidden className="overflow-hidden text-ellipsis whitespace-pre">
        {characters.slice(0, -END_LENGTH).join('')}
      </span>
      <span aria-hidden className="shrink-0 whitespace-pre">
        {characters.slice(-END_LENGTH).join('')}
      </span>
    </bdi>
  )
}

import { Skeleton } from '#web/ui/state/skeleton.tsx'
import { ROW_HEIGHT_PX } from './message-row.tsx'

/** As high as the rows that come. */
export function LoadingRows({ label }: { label: string }) {
  return (
    <div role="status" className="min-h-0 flex-1 overflow-hidden">
      <span className="sr-only">{label}</span>
      {Array.from({ length: 8 }, (_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
          key={index}
          className="grid content-center gap-2.5 border-line border-b px-7"
          style={{ height: ROW_HEIGHT_PX }}
        >
          <div className="flex justify-between">
            <Skeleton className="h-3.5 w-32" />
            <Skeleton className="h-3 w-10" />
          </div>
          <Skeleton className="h-3.5 w-3/5" />
          <Skeleton className="h-3 w-4/5" />
        </div>
      ))}
    </div>
  )
}

import { Skeleton } from '#web/ui/state/skeleton.tsx'
import { ROW_HEIGHT_PX } from './message-row.tsx'

/** As high as the rows that come. */
export function LoadingRows({ label }: { label: string }) {
  return (
    <div role="status" className="min-h-0 flex-1 overflow-hidden">
      <span className="sr-only">{label}</span>
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
        <div key={index} style={{ height: ROW_HEIGHT_PX }}>
          <LoadingRow />
        </div>
      ))}
    </div>
  )
}

export function LoadingRow() {
  return (
    <div className="grid h-full content-center gap-2.5 border-line border-b pr-7 pl-10">
      <div className="flex justify-between">
        <Skeleton className="h-3.5 w-32" />
        <Skeleton className="h-3 w-10" />
      </div>
      <Skeleton className="h-3.5 w-3/5" />
      <Skeleton className="h-3 w-4/5" />
    </div>
  )
}

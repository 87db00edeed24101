import { Skeleton } from '#web/ui/state/loading.tsx'

/** Placeholders of the three panes while nothing is loaded. */
export function MailSkeleton() {
  return (
    <>
      <div className="@max-[30rem]/mail:hidden flex w-44 @[58rem]/mail:w-52 shrink-0 flex-col gap-3 border-line border-r bg-sunken p-2">
        <Skeleton className="h-11 w-full" />
        <Skeleton className="mx-0.5 h-10" />
        <div className="grid gap-4 px-2.5 pt-2.5">
          <Skeleton className="h-5 w-24" />
          <Skeleton className="h-5 w-20" />
          <Skeleton className="h-5 w-16" />
        </div>
      </div>
      <div className="flex min-w-0 flex-1 flex-col border-line border-r bg-surface @[58rem]/mail:w-88 @[84rem]/mail:w-112 @[58rem]/mail:flex-none">
        <div data-own-bar className="flex h-14 shrink-0 items-center border-line border-b px-3">
          <Skeleton className="h-9 w-full" />
        </div>
        <div className="border-line border-b px-4 py-1.5">
          <Skeleton className="h-4 w-16" />
        </div>
        <LoadingRows label="Loading the mail" />
      </div>
      <div className="@max-[58rem]/mail:hidden flex-1 bg-surface" />
    </>
  )
}

/** Placeholder rows, as high as the real ones. */
export function LoadingRows({ label }: { label: string }) {
  return (
    <div role="status" className="min-h-0 flex-1 overflow-hidden">
      <span className="sr-only">{label}</span>
      <div className="rows-to-come animate-shimmer" style={{ height: 8 * ROW_HEIGHT_PX }} />
    </div>
  )
}

export const ROW_HEIGHT_PX = 88
export const COMPACT_ROW_PX = 56

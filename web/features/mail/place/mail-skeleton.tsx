import { Skeleton } from '#web/ui/state/skeleton.tsx'

/** The three panes before anything is known. */
export function MailSkeleton() {
  return (
    <div role="status" className="flex flex-1">
      <span className="sr-only">Loading the mail</span>
      <div className="@max-[30rem]/mail:hidden w-48 border-line border-r p-4">
        <Skeleton className="h-8 w-full" />
        <Skeleton className="mt-6 h-5 w-24" />
        <Skeleton className="mt-3 h-5 w-20" />
        <Skeleton className="mt-3 h-5 w-24" />
      </div>
      <div className="grid flex-1 content-start gap-4 p-5">
        <Skeleton className="h-9 w-full max-w-sm" />
        <Skeleton className="h-16 w-full max-w-sm" />
        <Skeleton className="h-16 w-full max-w-sm" />
        <Skeleton className="h-16 w-full max-w-sm" />
      </div>
    </div>
  )
}

import { cn } from '../cn.ts'

/** The shape of what is coming. Put `role="status"` with a text beside a group of them. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('animate-shimmer rounded-md bg-hover', className)} />
}

import { LoaderCircle } from 'lucide-react'
import { cn } from '../cn.ts'

/** A placeholder in the shape of the content. Put `role="status"` with a text beside a group of them. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('animate-shimmer rounded-md bg-hover', className)} />
}

/** Decorative: the text beside it says what is happening. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle className={cn('size-4 animate-spin', className)} aria-hidden />
}

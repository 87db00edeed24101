import { LoaderCircle } from 'lucide-react'
import { cn } from '../cn.ts'

/** Decorative: the text beside it says what is going on. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle className={cn('size-4 animate-spin', className)} aria-hidden />
}

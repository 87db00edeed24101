import { PRODUCT_NAME } from '#web/lib/page-title.ts'
import { cn } from '#web/ui/cn.ts'

/** The logo: an opened envelope that is also a house. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden className={cn('size-8 shrink-0', className)}>
      <rect width="32" height="32" rx="9" className="fill-accent" />
      <path d="M7.5 13.4 16 7l8.5 6.4L16 19.4z" fill="white" fillOpacity=".22" />
      <path
        d="M7.5 13.4V23a1.8 1.8 0 0 0 1.8 1.8h13.4a1.8 1.8 0 0 0 1.8-1.8v-9.6L16 7zm0 0L16 19.4l8.5-6"
        stroke="white"
        strokeWidth="1.9"
        strokeLinejoin="round"
      />
    </svg>
  )
}

export function Wordmark() {
  return (
    <div className="flex items-center gap-2.5">
      <Mark />
      <span className="font-semibold text-[1.0625rem] tracking-tight">{PRODUCT_NAME}</span>
    </div>
  )
}

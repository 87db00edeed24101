import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** An error that belongs to no single field. */
export function FormAlert({ children }: { children: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 rounded-xl bg-bad-wash px-3.5 py-3 text-bad text-sm"
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0">{children}</div>
    </div>
  )
}

import type { User } from '#contract/auth.ts'
import { PRODUCT_NAME } from '#web/lib/page-title.ts'
import { cn } from '#web/ui/cn.ts'
import { Mark } from '../../wordmark.tsx'

/** Where members choose their workspace stands the one mailbox of its holder. */
export function HolderMark({ holder, isWide }: { holder: User; isWide: boolean }) {
  return (
    <div
      className={cn(
        'flex items-center gap-2.5',
        isWide ? 'h-11 w-full px-2' : 'size-10 justify-center',
      )}
    >
      <Mark className={isWide ? 'size-7' : 'size-6'} />
      {isWide && (
        <span className="grid min-w-0 flex-1 leading-tight">
          <span className="truncate font-semibold text-sm">{PRODUCT_NAME}</span>
          <span className="truncate text-soft text-xs" title={holder.email}>
            {holder.email}
          </span>
        </span>
      )}
    </div>
  )
}

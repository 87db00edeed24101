import { useEffect } from 'react'
import { showNote, useIsOffline } from '#web/lib/online.ts'
import { cn } from '#web/ui/cn.ts'

/** At once, where the reader looks: calls need some seconds to fail. */
export function OfflineNote({ className = '' }: { className?: string }) {
  const isOffline = useIsOffline()
  useEffect(showNote, [])
  return (
    <p
      role="status"
      className={isOffline ? cn('bg-warn-wash text-warn text-xs', className) : 'sr-only'}
    >
      {isOffline && 'You are offline. What you write is kept on this device.'}
    </p>
  )
}

import { useEffect } from 'react'
import { type Line, showNote, useLine } from '#web/lib/online.ts'
import { cn } from '#web/ui/cn.ts'

const words: Record<Line, string> = {
  good: '',
  offline: 'You are offline. What you write is kept on this device.',
  silent: 'The server does not answer. What you write is kept on this device.',
}

/** At once, where the reader looks: calls need some seconds to fail. */
export function OfflineNote({ className = '' }: { className?: string }) {
  const line = useLine()
  useEffect(showNote, [])
  return (
    <p
      role="status"
      className={line !== 'good' ? cn('bg-warn-wash text-warn text-xs', className) : 'sr-only'}
    >
      {words[line]}
    </p>
  )
}

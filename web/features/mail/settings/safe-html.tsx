import { type ReactNode, useEffect, useState } from 'react'
import { Skeleton } from '#web/ui/state/skeleton.tsx'

type SafeHtmlProps = { html: string; children: (safe: string) => ReactNode }

/** Sanitises what another member may have written, before an editor of ours takes it. The first text holds. */
export function SafeHtml({ html, children }: SafeHtmlProps) {
  const [first] = useState(html)
  const [safe, setSafe] = useState<string | null>(first === '' ? '' : null)
  useEffect(() => {
    if (first === '') return
    let isWanted = true
    void import('../compose/text/quotation.ts')
      .then(({ editableHtml }) => editableHtml(first))
      .then((html) => isWanted && setSafe(html))
    return () => {
      isWanted = false
    }
  }, [first])
  return safe === null ? <Skeleton className="h-[305px] w-full" /> : children(safe)
}

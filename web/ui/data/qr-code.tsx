import { useEffect, useState } from 'react'
import { cn } from '../cn.ts'

type QrCodeProps = { text: string; 'aria-label': string; className?: string }

/** Drawn here, by a part that is loaded with it; without it there is still the text. */
export function QrCode({ text, className, ...rest }: QrCodeProps) {
  const [code, setCode] = useState<{ size: number; path: string } | null>(null)
  useEffect(() => {
    let isGone = false
    import('uqr').then(
      ({ encode }) => {
        if (!isGone) setCode(draw(encode(text, { ecc: 'M', border: 0 }).data))
      },
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [text])
  return (
    // Black on white in the dark, too: many cameras read nothing else.
    <div
      className={cn(
        'size-40 shrink-0 rounded-card border border-line bg-white p-4 forced-color-adjust-none',
        className,
      )}
    >
      {code && (
        <svg
          role="img"
          aria-label={rest['aria-label']}
          viewBox={`0 0 ${code.size} ${code.size}`}
          shapeRendering="crispEdges"
          className="size-full"
        >
          <path d={code.path} fill="#000" />
        </svg>
      )}
    </div>
  )
}

const draw = (rows: readonly (readonly boolean[])[]): { size: number; path: string } => ({
  size: rows.length,
  path: rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join(''),
})

import { ROW_HEIGHT_PX } from './message-row.tsx'

/** As high as the rows that come. */
export function LoadingRows({ label }: { label: string }) {
  return (
    <div role="status" className="min-h-0 flex-1 overflow-hidden">
      <span className="sr-only">{label}</span>
      <div className="rows-to-come animate-shimmer" style={{ height: 8 * ROW_HEIGHT_PX }} />
    </div>
  )
}

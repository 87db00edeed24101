import { formatDate } from '#web/lib/format.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'

/** In the mail of a mailbox that was deleted. */
export function DeletedNote({ endsAt }: { endsAt: string | undefined }) {
  if (endsAt === undefined) return null
  return (
    <p role="note" className="border-line border-t bg-warn-wash px-4 py-2 text-warn text-xs">
      This mailbox was deleted and ends on <LocalTime at={endsAt} format={formatDate} />. Until then
      it receives mail and can be read, but sends nothing. Save what you need in its settings.
    </p>
  )
}

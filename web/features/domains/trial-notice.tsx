import { FlaskConical } from 'lucide-react'

/** In the place of the records, which a trial does not show. `message` is the server's: what its operator does. */
export function TrialNotice({ message }: { message: string }) {
  return (
    <div className="flex items-start gap-3 px-5 py-6 sm:px-6">
      <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-accent-wash text-accent-ink">
        <FlaskConical className="size-5" aria-hidden />
      </span>
      <div className="grid max-w-3xl gap-1">
        <p className="font-medium">No records in a trial</p>
        <p className="text-pretty text-soft text-sm">{message}</p>
        <p className="text-pretty text-soft text-sm">
          The ownership of a domain can be proven before that.
        </p>
      </div>
    </div>
  )
}

import { Megaphone, X } from 'lucide-react'
import {
  type Announcement,
  dismissAnnouncement,
  listAnnouncements,
} from '#contract/installation.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'

const LOOK_MS = 30_000

/** What operators tell, on every page, until it ends or the reader dismisses it. */
export function AnnouncementBanner() {
  const { data } = useApi(listAnnouncements, {}, { staleTime: 300_000 })
  const now = useNow(LOOK_MS)
  const shown = data?.filter(({ endsAt }) => endsAt === null || Date.parse(endsAt) > now) ?? []
  return (
    <div role="status" className="print:hidden">
      {shown.map((announcement) => (
        <Sentence key={announcement._id} announcement={announcement} />
      ))}
    </div>
  )
}

function Sentence({ announcement: { _id: id, text, link } }: { announcement: Announcement }) {
  const dismiss = useCall(dismissAnnouncement, {
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <div className="flex items-start gap-2.5 border-line border-b bg-accent-wash/60 py-1.5 pr-2 pl-4 text-sm sm:pr-4 sm:pl-6 lg:pl-8">
      <Megaphone className="mt-2 size-4 shrink-0 text-accent-ink" aria-hidden />
      <p className="wrap-anywhere min-w-0 flex-1 text-pretty py-1.5">
        {text}
        {link !== '' && (
          <>
            {' '}
            <a
              href={link}
              target="_blank"
              rel="noopener noreferrer"
              className="font-medium text-accent-ink underline underline-offset-2"
            >
              {new URL(link).host}
            </a>
          </>
        )}
      </p>
      <Button
        variant="quiet"
        size="iconSmall"
        aria-label="Dismiss this announcement"
        isPending={dismiss.isPending}
        onClick={() => dismiss.mutate({ params: { id } })}
      >
        {!dismiss.isPending && <X aria-hidden />}
      </Button>
    </div>
  )
}

import { NotFoundPage } from './not-found-page.tsx'

/** A page broke: the same page as an unknown path. The way back starts the app anew, since what broke it is still in memory. */
export function CrashPage() {
  return <NotFoundPage startsAnew />
}

import { NotFoundPage } from './not-found-page.tsx'

/** A page broke: the same page as an unknown path, which leads back to the dashboard. */
export function CrashPage() {
  return <NotFoundPage />
}

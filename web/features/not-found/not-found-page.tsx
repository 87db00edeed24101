import { Link, useLocation } from 'react-router'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { LostLetter } from './lost-letter.tsx'

/** Any unknown path, the target of broken links, and (see CrashPage) the fallback of a crash. */
export function NotFoundPage({ startsAnew = false }: { startsAnew?: boolean }) {
  usePageTitle('Not found')
  const state = useLocation().state as { isMailedLink?: unknown } | null
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-16">
      <div className="flex max-w-md flex-col items-center gap-6 text-center">
        <LostLetter className="w-56" />
        <div className="grid gap-2">
          <h1 tabIndex={-1} className="font-semibold text-2xl tracking-tight">
            Whoops! We can't find that page.
          </h1>
          <p className="text-balance text-soft text-sm">
            The link may be old, or the page may have moved. Nothing of yours is lost.
          </p>
          {state?.isMailedLink === true && (
            // To whoever is not verified yet, login offers a new link.
            <p className="text-soft text-sm">
              Was this a link from a mail?{' '}
              <Link
                to={paths.login()}
                className="rounded-xs font-medium text-accent-ink underline-offset-4 hover:underline"
              >
                Log in to ask for a new one
              </Link>
            </p>
          )}
        </div>
        <Button asChild size="large">
          <Link to={paths.dashboard()} reloadDocument={startsAnew}>
            Go Home
          </Link>
        </Button>
      </div>
    </main>
  )
}

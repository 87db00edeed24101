import { Link } from 'react-router'
import { useHistoryState } from '#web/lib/history-state.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'

/** Set by the page that could not open a link. `isBroken`: it never will be opened. */
export type LinkState = { isMailedLink?: boolean; isBroken?: boolean }

/** For unknown paths, broken mailed links, and crashes (see CrashPage). */
export function NotFoundPage({ startsAnew = false }: { startsAnew?: boolean }) {
  usePageTitle('Not found')
  const state = useHistoryState() as LinkState | null | undefined
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
            // Login offers a new link to users whose e-mail is not verified.
            <p className="text-soft text-sm">
              Was this a link from a mail?{' '}
              {state.isBroken === true
                ? 'It was used, a newer one took its place, or a part of it is missing.'
                : 'It could not be opened just now: please open it again in a minute.'}{' '}
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

/** Picture of a letter that fell beside the mailbox. */
export function LostLetter({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 240 150" fill="none" aria-hidden className={className}>
      <path d="M20 132h200" className="stroke-line" strokeWidth="2" strokeLinecap="round" />
      <path d="M96 132V86" className="stroke-control" strokeWidth="4" strokeLinecap="round" />
      <path
        d="M58 88V58a22 22 0 0 1 22-22h50a22 22 0 0 1 22 22v30z"
        className="fill-surface stroke-control"
        strokeWidth="2"
      />
      <path d="M80 36a22 22 0 0 1 22 22v30" className="stroke-control" strokeWidth="2" />
      <path d="M68 62h22" className="stroke-ink" strokeWidth="3" strokeLinecap="round" />
      <path d="M132 58V32h14" className="stroke-accent-ink" strokeWidth="3" strokeLinecap="round" />
      <g transform="rotate(14 184 116)">
        <rect
          x="160"
          y="100"
          width="50"
          height="32"
          rx="4"
          className="fill-accent-wash stroke-accent-ink"
          strokeWidth="2"
        />
        <path
          d="m162 104 23 15 23-15"
          className="stroke-accent-ink"
          strokeWidth="2"
          strokeLinejoin="round"
        />
      </g>
    </svg>
  )
}

/** Shown when a page crashed. Its link reloads the app, because the broken state is still in memory. */
export function CrashPage() {
  return <NotFoundPage startsAnew />
}

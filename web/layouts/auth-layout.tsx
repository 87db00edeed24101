import { Link, Outlet } from 'react-router'
import { paths } from '#web/paths.ts'
import { AuthIllustration } from './auth-illustration.tsx'
import { Wordmark } from './wordmark.tsx'

const footerLink =
  'rounded-sm px-1 py-1.5 text-soft text-xs underline-offset-4 hover:text-ink hover:underline'

/** The shell for visitors: from 1024 px a picture on the left, the form on the right. */
export function AuthLayout() {
  return (
    <div className="grid min-h-dvh lg:grid-cols-2 xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
      <aside className="relative hidden border-line border-r bg-sunken lg:block">
        <div className="sticky top-0 h-dvh overflow-hidden">
          <AuthIllustration className="absolute inset-0 size-full" />
          <div className="relative grid gap-10 p-10 xl:p-12">
            <Wordmark />
            <p className="max-w-md text-balance font-semibold text-2xl/8 tracking-tight">
              Your domains, your mailboxes.{' '}
              <span className="text-soft">
                Prove a domain once, publish its records, and mail works.
              </span>
            </p>
          </div>
        </div>
      </aside>
      <main className="flex flex-col px-5 py-8 sm:px-10 sm:py-10">
        <div className="lg:hidden">
          <Wordmark />
        </div>
        <div className="m-auto w-full max-w-[25rem] py-8">
          <Outlet />
        </div>
        <footer className="flex justify-center gap-5">
          <Link to={paths.terms()} className={footerLink}>
            Terms
          </Link>
          <Link to={paths.privacy()} className={footerLink}>
            Privacy
          </Link>
        </footer>
      </main>
    </div>
  )
}

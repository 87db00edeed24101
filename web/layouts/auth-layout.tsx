import { Outlet } from 'react-router'
import { PRODUCT_NAME } from '#web/lib/page-title.ts'
import { AuthIllustration } from './auth-illustration.tsx'
import { Wordmark } from './wordmark.tsx'

/** The shell of visitors: a picture on the left from 1024 px on, the form on the right. */
export function AuthLayout() {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
      <aside className="relative hidden overflow-hidden border-line border-r bg-sunken lg:flex lg:flex-col">
        <div className="sticky top-0 flex h-dvh flex-col p-10">
          <Wordmark />
          <div className="grid flex-1 place-items-center py-8">
            <AuthIllustration className="w-full max-w-xl" />
          </div>
          <p className="max-w-md text-pretty text-base text-soft">
            <span className="font-medium text-ink">Your domains, your mailboxes.</span> Prove a
            domain once, publish its records, and mail works.
          </p>
        </div>
      </aside>
      <main className="flex flex-col px-5 py-8 sm:px-10 sm:py-10">
        <div className="lg:hidden">
          <Wordmark />
        </div>
        <div className="m-auto w-full max-w-[25rem] py-8">
          <Outlet />
        </div>
        <p className="text-center text-soft text-xs">{PRODUCT_NAME}</p>
      </main>
    </div>
  )
}

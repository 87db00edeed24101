import { Outlet } from 'react-router'
import { TooltipProvider } from '#web/ui/overlay/tooltip.tsx'
import { Wordmark } from './wordmark.tsx'

/** The full-width shell of pages that a link opens for people without an account. */
export function LinkLayout() {
  return (
    <TooltipProvider>
      <div className="flex min-h-dvh flex-col">
        <header className="border-line border-b px-5 py-3.5 sm:px-10">
          <Wordmark />
        </header>
        <main className="mx-auto flex w-full max-w-6xl flex-1 flex-col px-4 py-6 sm:px-10 sm:py-10">
          <Outlet />
        </main>
      </div>
    </TooltipProvider>
  )
}

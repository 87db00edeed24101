import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { queryClient } from '#web/lib/api/query-client.ts'
import { useHolder } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { followLiveEvents } from '#web/lib/live/live-events.ts'
import { HOLDERS_PASSWORD } from '#web/paths.ts'
import { TooltipProvider } from '#web/ui/overlay/tooltip.tsx'
import { Header } from './header.tsx'
import { Sidebar } from './sidebar.tsx'
import { useShortcut, useSidebarState } from './sidebar-state.ts'

const loadPalette = () => import('./command-palette.tsx')
const CommandPalette = lazyPart(async () => (await loadPalette()).CommandPalette)
/** Who presses Ctrl or Cmd may press K next, and type on at once. */
const fetchPalette = (event: KeyboardEvent) => {
  if (event.key === 'Control' || event.key === 'Meta') void loadPalette().catch(() => undefined)
}

const MAIN_ID = 'main'

/** The shell of signed-in users. */
export function DashboardLayout() {
  const sidebar = useSidebarState()
  const [isPaletteOpen, setIsPaletteOpen] = useState(false)
  const [isPaletteWanted, setIsPaletteWanted] = useState(false)
  const openPalette = () => {
    setIsPaletteWanted(true)
    setIsPaletteOpen(true)
  }
  useShortcut('k', () => (isPaletteOpen ? setIsPaletteOpen(false) : openPalette()))
  useEffect(followLiveEvents, [])
  useEffect(() => {
    addEventListener('keydown', fetchPalette)
    return () => removeEventListener('keydown', fetchPalette)
  }, [])
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <a
          href={`#${MAIN_ID}`}
          className="sr-only z-50 rounded-control bg-surface font-medium text-sm shadow-floating focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:px-4 focus:py-2"
        >
          Skip to main
        </a>
        <div className="flex min-h-dvh">
          <Sidebar state={sidebar} />
          <div className="flex min-w-0 flex-1 flex-col">
            <Header onToggleSidebar={sidebar.toggle} onOpenPalette={openPalette} />
            <main
              id={MAIN_ID}
              tabIndex={-1}
              className="mx-auto flex w-full max-w-[80rem] flex-1 has-data-whole-room:max-w-[160rem] flex-col gap-6 px-4 py-6 sm:px-6 lg:px-8 lg:py-8"
            >
              <Outlet />
            </main>
          </div>
        </div>
        <PasswordQuestion />
        {isPaletteWanted && (
          <Suspense>
            <CommandPalette isOpen={isPaletteOpen} onOpenChange={setIsPaletteOpen} />
          </Suspense>
        )}
      </TooltipProvider>
    </QueryClientProvider>
  )
}

const PasswordDialog = lazyPart(
  async () => (await import('#web/features/profile/password-dialog.tsx')).PasswordDialog,
)

/** The holder of a mailbox has no profile: the password is changed from the settings of the mailbox, at `#password`. */
export function PasswordQuestion() {
  const holder = useHolder()
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  if (!holder || hash !== `#${HOLDERS_PASSWORD}`) return null
  return (
    <Suspense>
      <PasswordDialog
        email={holder.email}
        hasPassword
        onClose={() => void navigate({ search, hash: '' }, { replace: true })}
      />
    </Suspense>
  )
}

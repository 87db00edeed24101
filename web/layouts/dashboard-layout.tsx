import {
  CalendarClock,
  KeyRound,
  LogOut,
  Moon,
  PanelLeft,
  Rows3,
  Rows4,
  Search,
  ShieldCheck,
  Sun,
  UserRound,
} from 'lucide-react'
import { type MouseEvent, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, Outlet, useLocation, useNavigate } from 'react-router'
import { getInstallation, listAnnouncements } from '#contract/installation.ts'
import { getPreferences } from '#contract/profile.ts'
import { listWorkspaces } from '#contract/workspaces.ts'
import { WorkspaceEnd } from '#web/deletions/workspace-end.tsx'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { QueryProvider } from '#web/lib/api/query-provider.tsx'
import { useSession } from '#web/lib/api/session.ts'
import { answerStepUp, useStepUp } from '#web/lib/api/step-up.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useHolder } from '#web/lib/api/use-can.ts'
import { chooseDensity, useDensity } from '#web/lib/density.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { followLiveEvents } from '#web/lib/live/live-events.ts'
import { MESSAGES_ID, ShellPartsContext } from '#web/lib/shell-parts.ts'
import { chooseTheme, useIsDark } from '#web/lib/theme.ts'
import { HOLDERS_PASSWORD, PREFERENCES, paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { Avatar } from '#web/ui/data/avatar.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { Tooltip, TooltipProvider } from '#web/ui/overlay/tooltip.tsx'
import { useInBrowser } from '#web/ui/use-in-browser.ts'
import { useIsApple } from '#web/ui/use-media-query.ts'
import { AnnouncementBanner } from './announcement-banner.tsx'
import { FactorBanner } from './factor-banner.tsx'
import { logOut } from './log-out.ts'
import { headerTitle } from './navigation.ts'
import { fetchPalette, Palette } from './palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { useShortcut, useSidebarState } from './sidebar-state.ts'
import { SuspendedBanner } from './suspended-banner.tsx'
import { TrialBanner } from './trial-banner.tsx'

const MAIN_ID = 'main'

export const loadShell: LoadPage = ({ ask }) =>
  Promise.all([
    ask(listWorkspaces, {}),
    ask(getPreferences, {}),
    ask(getInstallation, {}),
    ask(listAnnouncements, {}),
  ])

/** The shell for signed-in users. */
export function DashboardLayout() {
  const sidebar = useSidebarState()
  const [isPaletteOpen, setIsPaletteOpen] = useState(false)
  const [isPaletteWanted, setIsPaletteWanted] = useState(false)
  const openPalette = () => {
    setIsPaletteWanted(true)
    setIsPaletteOpen(true)
  }
  const isMail = useLocation().pathname === paths.viewMail()
  const openMenu = useHolder() === null ? sidebar.toggle : null
  const parts = { accountMenu: <AvatarMenu />, openMenu, openPalette }
  useShortcut('k', () => (isPaletteOpen ? setIsPaletteOpen(false) : openPalette()))
  useEffect(followLiveEvents, [])
  useEffect(() => {
    addEventListener('keydown', fetchPalette)
    return () => removeEventListener('keydown', fetchPalette)
  }, [])
  return (
    <QueryProvider>
      <TooltipProvider>
        <SkipLink to={MAIN_ID}>Skip to main</SkipLink>
        {isMail && <SkipLink to={MESSAGES_ID}>Skip to messages</SkipLink>}
        <div className="group/shell flex min-h-dvh">
          <Sidebar state={sidebar} />
          <div className="flex min-w-0 flex-1 flex-col">
            <Header onToggleSidebar={sidebar.toggle} onOpenPalette={openPalette} />
            <AnnouncementBanner />
            <WorkspaceEnd />
            <SuspendedBanner />
            <FactorBanner />
            <TrialBanner />
            <main
              id={MAIN_ID}
              tabIndex={-1}
              className="mx-auto flex w-full max-w-[80rem] flex-1 has-data-whole-room:max-w-[160rem] flex-col gap-6 px-4 py-6 sm:px-6 lg:px-8 lg:py-8 print:p-0"
            >
              <ShellPartsContext value={parts}>
                <Outlet />
              </ShellPartsContext>
            </main>
          </div>
        </div>
        <PasswordQuestion />
        <StepUpQuestion />
        <PreferencesQuestion />
        <FollowedPreferences />
        {isPaletteWanted && <Palette isOpen={isPaletteOpen} onOpenChange={setIsPaletteOpen} />}
      </TooltipProvider>
    </QueryProvider>
  )
}

function SkipLink({ to, children }: { to: string; children: ReactNode }) {
  /** In a narrow window the target may have given way to another part. */
  const skip = (event: MouseEvent) => {
    if (document.getElementById(to)?.checkVisibility()) return
    const shown = [...document.querySelectorAll<HTMLElement>(`[data-instead-of="${to}"]`)]
    const target = shown.find((part) => part.checkVisibility())
    if (!target) return
    event.preventDefault()
    target.focus()
  }
  return (
    <a
      href={`#${to}`}
      onClick={skip}
      className="sr-only z-50 rounded-control bg-surface font-medium text-sm shadow-floating focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:px-4 focus:py-2"
    >
      {children}
    </a>
  )
}

type HeaderProps = { onToggleSidebar: () => void; onOpenPalette: () => void }

/** An invisible area that makes the target large enough for a finger on a phone. */
const reach = 'max-md:relative max-md:before:absolute max-md:before:-inset-1.5'

export function Header({ onToggleSidebar, onOpenPalette }: HeaderProps) {
  const { pathname, search } = useLocation()
  const isHolder = useHolder() !== null
  const modifier = useIsApple() ? '⌘' : 'Ctrl '
  return (
    <header className="sticky top-0 z-20 flex h-14 max-[30rem]:group-has-data-own-bar/shell:hidden print:hidden items-center gap-2 border-line border-b bg-canvas/90 px-3 backdrop-blur-sm sm:px-4">
      <Tooltip text={`Toggle sidebar (${modifier}B)`} side="bottom">
        <Button
          variant="quiet"
          size="iconSmall"
          aria-label="Toggle sidebar"
          onClick={onToggleSidebar}
          className={reach}
        >
          <PanelLeft aria-hidden />
        </Button>
      </Tooltip>
      <span aria-hidden className="h-4 w-px bg-line" />
      <p className="truncate px-1.5 font-medium text-sm">
        {headerTitle({ pathname, search, isHolder })}
      </p>
      <div className="ml-auto flex items-center gap-2 max-md:gap-3">
        <Button
          variant="secondary"
          size="small"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={onOpenPalette}
          className={cn(reach, 'gap-2 text-soft max-sm:w-8 max-sm:px-0')}
        >
          <Search aria-hidden />
          <span className="max-sm:sr-only">Go to</span>
          <kbd className="ml-3 rounded border border-line bg-sunken px-1.5 font-sans text-2xs max-sm:hidden">
            {modifier}K
          </kbd>
        </Button>
        <AvatarMenu />
      </div>
    </header>
  )
}

const PasswordDialog = lazyPart(
  async () => (await import('#web/features/profile/password-dialog.tsx')).PasswordDialog,
)

/** The holder of a mailbox has no profile page: the settings of the mailbox open this dialog at `#password`. */
export function PasswordQuestion() {
  const holder = useHolder()
  const { hash, search } = useLocation()
  // The server does not receive the fragment, so it draws the page without the dialog.
  const isInBrowser = useInBrowser(() => true, false)
  const navigate = useNavigate()
  if (!isInBrowser || !holder || hash !== `#${HOLDERS_PASSWORD}`) return null
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

const PreferencesDialog = lazyPart(
  async () => (await import('#web/features/profile/preferences-card.tsx')).PreferencesDialog,
)

const StepUpDialog = lazyPart(
  async () => (await import('#web/features/security/step-up-dialog.tsx')).StepUpDialog,
)

/** A call waits until the person has said that it is them. */
function StepUpQuestion() {
  if (!useStepUp()) return null
  return (
    <Suspense>
      <StepUpDialog onAnswer={answerStepUp} />
    </Suspense>
  )
}

/** The same for a holder's preferences, at `#preferences`. */
function PreferencesQuestion() {
  const holder = useHolder()
  const { hash, search } = useLocation()
  const isInBrowser = useInBrowser(() => true, false)
  const navigate = useNavigate()
  if (!isInBrowser || !holder || hash !== `#${PREFERENCES}`) return null
  return (
    <Suspense>
      <PreferencesDialog onClose={() => void navigate({ search, hash: '' }, { replace: true })} />
    </Suspense>
  )
}

/** Dates are written by them from when they are there (web/lib/api/date-formats.ts). */
function FollowedPreferences() {
  useApi(getPreferences, {}, { staleTime: 300_000 })
  return null
}

export function AvatarMenu() {
  const session = useSession()
  const isMail = useLocation().pathname === paths.viewMail()
  if (session.status !== 'signed-in') return null
  const { user } = session
  return (
    <DropdownMenu
      className="w-56"
      trigger={
        <button type="button" aria-label="Account menu" className="rounded-full">
          <Avatar name={user.name} src={user.avatar} />
        </button>
      }
    >
      <MenuLabel>
        <span className="block truncate font-medium text-ink text-sm">{user.name}</span>
        <span className="block truncate">{user.email}</span>
      </MenuLabel>
      <MenuSeparator />
      <MenuItem asChild>
        {user.mailboxId ? (
          <Link to={{ pathname: paths.mailboxSettings(), hash: HOLDERS_PASSWORD }}>
            <KeyRound aria-hidden />
            Change password
          </Link>
        ) : (
          <Link to={paths.profile()}>
            <UserRound aria-hidden />
            Profile
          </Link>
        )}
      </MenuItem>
      {user.mailboxId && (
        <MenuItem asChild>
          <Link to={{ pathname: paths.mailboxSettings(), hash: PREFERENCES }}>
            <CalendarClock aria-hidden />
            Preferences
          </Link>
        </MenuItem>
      )}
      {user.mailboxId && (
        <MenuItem asChild>
          <Link to={paths.security()}>
            <ShieldCheck aria-hidden />
            Security
          </Link>
        </MenuItem>
      )}
      {(user.mailboxId || isMail) && <ThemeItem />}
      {isMail && <DensityItem />}
      <MenuItem onSelect={() => void logOut()}>
        <LogOut aria-hidden />
        Log out
      </MenuItem>
    </DropdownMenu>
  )
}

/** How many rows of mail fit on the screen: with or without the beginning of each message. */
function DensityItem() {
  const isCompact = useDensity() === 'compact'
  const Icon = isCompact ? Rows3 : Rows4
  return (
    <MenuItem onSelect={() => chooseDensity(isCompact ? 'roomy' : 'compact')}>
      <Icon aria-hidden />
      {isCompact ? 'Roomy list of mail' : 'Compact list of mail'}
    </MenuItem>
  )
}

/** For a holder, who has no page of settings of their own, and in the mail: the other theme. That of the system is in the command palette. */
function ThemeItem() {
  const isDark = useIsDark()
  return (
    <MenuItem onSelect={() => chooseTheme(isDark ? 'light' : 'dark')}>
      {isDark ? <Sun aria-hidden /> : <Moon aria-hidden />}
      {isDark ? 'Light theme' : 'Dark theme'}
    </MenuItem>
  )
}

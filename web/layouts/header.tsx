import { PanelLeft, Search } from 'lucide-react'
import { useLocation } from 'react-router'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'
import { useIsApple } from '#web/ui/use-media-query.ts'
import { AvatarMenu } from './avatar-menu.tsx'
import { headerTitle } from './navigation.ts'

type HeaderProps = { onToggleSidebar: () => void; onOpenPalette: () => void }

/** What is invisible makes it large enough for a finger, on a phone. */
const reach = 'max-md:relative max-md:before:absolute max-md:before:-inset-1.5'

export function Header({ onToggleSidebar, onOpenPalette }: HeaderProps) {
  const { pathname, search } = useLocation()
  const modifier = useIsApple() ? '⌘' : 'Ctrl '
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-line border-b bg-canvas/90 px-3 backdrop-blur-sm sm:px-4">
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
      <p className="truncate px-1.5 font-medium text-sm">{headerTitle(pathname, search)}</p>
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

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import type { User } from '#contract/auth.ts'
import { chosenWorkspace } from '#web/lib/api/access-token.ts'
import { useHolder, useIsOperator, useWorkspaces } from '#web/lib/api/use-can.ts'
import { PRODUCT_NAME } from '#web/lib/page-title.ts'
import { toast } from '#web/lib/toast-store.ts'
import { cn } from '#web/ui/cn.ts'
import { Sheet } from '#web/ui/overlay/sheet.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'
import {
  holdersNavigation,
  isActive,
  type NavigationItem,
  navigation,
  operatorsNavigation,
} from './navigation.ts'
import type { SidebarState } from './sidebar-state.ts'
import { TeamSwitcher } from './team-switcher.tsx'
import { useLeaving } from './use-heading-focus.ts'
import { Mark } from './wordmark.tsx'

/** 16rem wide, folded a rail of 3rem, on a phone a sheet of 18rem. */
export function Sidebar({ state }: { state: SidebarState }) {
  useTabWorkspace()
  const { leave, onCloseAutoFocus } = useLeaving(state.isMobile && state.isSheetOpen)
  const onNavigate = () => {
    leave()
    state.closeSheet()
  }
  if (state.isMobile)
    return (
      <Sheet
        isOpen={state.isSheetOpen}
        onOpenChange={state.closeSheet}
        onCloseAutoFocus={onCloseAutoFocus}
        side="left"
        title="Navigation"
        className="w-72 bg-sunken"
      >
        <SidebarContent isWide onNavigate={onNavigate} />
      </Sheet>
    )
  return (
    <aside
      className={cn(
        'sticky top-0 flex h-dvh shrink-0 max-md:hidden flex-col print:hidden overflow-hidden border-line border-r bg-sunken transition-[width] duration-200 ease-calm',
        state.isWide ? 'w-64' : 'w-12',
      )}
    >
      <SidebarContent isWide={state.isWide} />
    </aside>
  )
}

/**
 * Keeps this tab in its workspace when another tab switches. When the user is no longer a member of it, the server
 * chooses another one.
 */
export function useTabWorkspace(): void {
  const client = useQueryClient()
  const { data, error } = useWorkspaces()
  const currentId = data?.find((workspace) => workspace.isCurrent)?._id
  const isLost = error?.type === 'NOT_EXISTS'
  useEffect(() => {
    if (currentId && chosenWorkspace.read() === null) chosenWorkspace.choose(currentId)
  }, [currentId])
  useEffect(() => {
    if (!isLost || chosenWorkspace.read() === null) return
    chosenWorkspace.forget()
    toast({ title: 'You are no longer in this workspace' })
    void client.resetQueries()
  }, [isLost, client])
}

type SidebarContentProps = { isWide: boolean; onNavigate?: () => void }

function SidebarContent({ isWide, onNavigate }: SidebarContentProps) {
  const holder = useHolder()
  const isOperator = useIsOperator()
  const own = holder ? holdersNavigation : navigation
  const items = isOperator ? [...own, ...operatorsNavigation] : own
  return (
    <>
      <div className={cn('flex h-14 items-center', isWide ? 'px-2' : 'px-1')}>
        {holder ? (
          <HolderMark holder={holder} isWide={isWide} />
        ) : (
          <TeamSwitcher isWide={isWide} {...(onNavigate ? { onNavigate } : {})} />
        )}
      </div>
      <nav
        aria-label="Main"
        className={cn('flex-1 overflow-y-auto py-2', isWide ? 'px-2' : 'px-1')}
      >
        <ul className="grid gap-0.5">
          {items.map((item) => (
            <Entry
              key={item.path}
              item={item}
              isWide={isWide}
              {...(onNavigate ? { onNavigate } : {})}
            />
          ))}
        </ul>
      </nav>
    </>
  )
}

/** For a holder the mailbox stands where members choose their workspace. */
export function HolderMark({ holder, isWide }: { holder: User; isWide: boolean }) {
  return (
    <div
      className={cn(
        'flex items-center gap-2.5',
        isWide ? 'h-11 w-full px-2' : 'size-10 justify-center',
      )}
    >
      <Mark className={isWide ? 'size-7' : 'size-6'} />
      {isWide && (
        <span className="grid min-w-0 flex-1 leading-tight">
          <span className="truncate font-semibold text-sm">{PRODUCT_NAME}</span>
          <span className="truncate text-soft text-xs" title={holder.email}>
            {holder.email}
          </span>
        </span>
      )}
    </div>
  )
}

const entryStyle =
  'flex items-center rounded-control text-sm transition-colors hover:bg-hover hover:text-ink -outline-offset-2'

function Entry({ item, isWide, onNavigate }: SidebarContentProps & { item: NavigationItem }) {
  const { pathname } = useLocation()
  const isHere = isActive(item.path, pathname)
  // The rail hides sub-entries, so this entry stands for them.
  const covered = [...item.covers, ...(isWide ? [] : item.items).map((sub) => sub.path)]
  const isShown = isHere || covered.some((path) => isActive(path, pathname))
  const Icon = item.icon
  return (
    <li>
      <Tooltip text={item.title} side="right" delayMs={0} isOff={isWide}>
        <Link
          to={item.path}
          onClick={onNavigate}
          {...(isHere ? { 'aria-current': 'page' as const } : {})}
          className={cn(
            entryStyle,
            'h-9 gap-2.5 font-medium max-md:h-11',
            isWide ? 'px-2.5' : 'w-10 justify-center',
            isShown ? 'bg-hover text-ink' : 'text-soft',
          )}
        >
          <Icon className={cn('size-4 shrink-0', isShown && 'text-accent-ink')} aria-hidden />
          <span className={isWide ? 'truncate' : 'sr-only'}>{item.title}</span>
        </Link>
      </Tooltip>
      {isWide && item.items.length > 0 && (
        <ul className="my-0.5 ml-4.5 grid gap-0.5 border-line border-l pl-2.5">
          {item.items.map((sub) => {
            const isSubHere = isActive(sub.path, pathname)
            return (
              <li key={sub.path}>
                <Link
                  to={sub.path}
                  onClick={onNavigate}
                  {...(isSubHere ? { 'aria-current': 'page' as const } : {})}
                  className={cn(
                    entryStyle,
                    'h-8 px-2.5 max-md:h-11',
                    isSubHere ? 'bg-hover font-medium text-ink' : 'text-soft',
                  )}
                >
                  <span className="truncate">{sub.title}</span>
                </Link>
              </li>
            )
          })}
        </ul>
      )}
    </li>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { ChevronsUpDown } from 'lucide-react'
import { useNavigate } from 'react-router'
import { listWorkspaces } from '#contract/workspaces.ts'
import { chosenWorkspace } from '#web/lib/api/chosen-workspace.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { PRODUCT_NAME } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { DropdownMenu, MenuChoice, MenuLabel } from '#web/ui/overlay/dropdown-menu.tsx'
import { Mark } from '../wordmark.tsx'

/** Which workspace one is in, and the way to another one. */
export function TeamSwitcher({ isWide }: { isWide: boolean }) {
  const { data: workspaces = [] } = useApi(listWorkspaces, {})
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const current = workspaces.find((workspace) => workspace.isCurrent)
  const choose = async (id: string) => {
    if (id === current?._id) return
    chosenWorkspace.choose(id)
    await navigate(paths.dashboard())
    // Nothing that was read belongs to the new workspace.
    await queryClient.resetQueries()
  }
  return (
    <DropdownMenu
      align="start"
      className="w-60"
      trigger={
        <button
          type="button"
          className={cn(
            'flex items-center gap-2.5 rounded-control text-left transition-colors -outline-offset-2 hover:bg-hover',
            isWide ? 'h-11 w-full px-2' : 'size-10 justify-center',
          )}
        >
          <Mark className={isWide ? 'size-7' : 'size-6'} />
          <span className="sr-only">Workspace: {!isWide && (current?.name ?? PRODUCT_NAME)}</span>
          {isWide && (
            <>
              <span className="grid min-w-0 flex-1 leading-tight">
                <span className="truncate font-semibold text-sm">
                  {current?.name ?? PRODUCT_NAME}
                </span>
                <span className="truncate text-soft text-xs">{current?.role ?? ' '}</span>
              </span>
              <ChevronsUpDown className="size-4 shrink-0 text-soft" aria-hidden />
            </>
          )}
        </button>
      }
    >
      <MenuLabel>Workspaces</MenuLabel>
      {workspaces.map((workspace) => (
        <MenuChoice
          key={workspace._id}
          isChecked={workspace.isCurrent}
          onSelect={() => void choose(workspace._id)}
        >
          <span className="truncate">{workspace.name}</span>
        </MenuChoice>
      ))}
    </DropdownMenu>
  )
}

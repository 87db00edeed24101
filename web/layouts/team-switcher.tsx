import { ChevronsUpDown, LayoutList, Pencil, Plus } from 'lucide-react'
import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { memberCan } from '#contract/rights.ts'
import { listWorkspaces, type Workspace } from '#contract/workspaces.ts'
import { useSwitchWorkspace } from '#web/features/workspaces/use-switch-workspace.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { useKeptState } from '#web/lib/kept-values.ts'
import { PRODUCT_NAME } from '#web/lib/page-title.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import {
  DropdownMenu,
  MenuChoice,
  MenuItem,
  MenuLabel,
  MenuSeparator,
} from '#web/ui/overlay/dropdown-menu.tsx'
import { Mark } from './wordmark.tsx'

// The form is loaded when it opens.
const WorkspaceDialog = lazyPart(
  async () => (await import('./workspace-dialog.tsx')).WorkspaceDialog,
)

type TeamSwitcherProps = { isWide: boolean; onNavigate?: () => void }

/** The current workspace, a list to switch to another one, and a button to create one. */
export function TeamSwitcher({ isWide, onNavigate }: TeamSwitcherProps) {
  const { data: workspaces = [] } = useApi(listWorkspaces, {})
  const { enter, choose } = useSwitchWorkspace(onNavigate)
  const navigate = useNavigate()
  const [open, setOpen] = useKeptState<'create' | Workspace | null>('workspace', null)
  const current = workspaces.find((workspace) => workspace.isCurrent)
  const onSaved = async (workspace: Workspace) => {
    if (open === 'create') {
      toast({ title: 'Workspace created', description: workspace.name, variant: 'success' })
      await enter(workspace._id)
    }
  }
  return (
    <>
      <DropdownMenu
        align="start"
        className="w-60"
        trigger={<SwitcherButton isWide={isWide} current={current} />}
      >
        <MenuLabel>Workspaces</MenuLabel>
        <div className="max-h-80 overflow-y-auto">
          {workspaces.map((workspace) => (
            <MenuChoice
              key={workspace._id}
              isChecked={workspace.isCurrent}
              onSelect={() => {
                if (!workspace.isCurrent) void choose(workspace._id)
              }}
            >
              <span dir="auto" className="truncate">
                {workspace.name}
              </span>
            </MenuChoice>
          ))}
        </div>
        <MenuSeparator />
        <MenuItem
          onSelect={() => {
            onNavigate?.()
            void navigate(paths.workspaces())
          }}
        >
          <LayoutList aria-hidden />
          All workspaces
        </MenuItem>
        {current && memberCan(current.role, 'manage-company') && (
          <MenuItem onSelect={() => setOpen(current)}>
            <Pencil aria-hidden />
            Rename workspace
          </MenuItem>
        )}
        <MenuItem onSelect={() => setOpen('create')}>
          <Plus aria-hidden />
          Create workspace
        </MenuItem>
      </DropdownMenu>
      <Suspense>
        {open !== null && (
          <WorkspaceDialog
            workspace={open === 'create' ? undefined : open}
            onClose={() => setOpen(null)}
            onSaved={onSaved}
          />
        )}
      </Suspense>
    </>
  )
}

type SwitcherButtonProps = { isWide: boolean; current: Workspace | undefined }

function SwitcherButton({ isWide, current, ...trigger }: SwitcherButtonProps) {
  const name = current?.name ?? PRODUCT_NAME
  return (
    <button
      type="button"
      {...trigger}
      className={cn(
        'flex items-center gap-2.5 rounded-control text-left transition-colors -outline-offset-2 hover:bg-hover',
        isWide ? 'h-11 w-full px-2' : 'size-10 justify-center',
      )}
    >
      <Mark className={isWide ? 'size-7' : 'size-6'} />
      <span className="sr-only">Workspace: {!isWide && name}</span>
      {isWide && (
        <>
          <span className="grid min-w-0 flex-1 leading-tight">
            <span dir="auto" className="truncate text-left font-semibold text-sm">
              {name}
            </span>
            <span className="truncate text-soft text-xs">{current?.role ?? ' '}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-soft" aria-hidden />
        </>
      )}
    </button>
  )
}

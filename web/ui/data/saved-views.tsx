import { Bookmark, EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { cn } from '../cn.ts'
import { Button } from '../form/button.tsx'
import { Field, Input } from '../form/field.tsx'
import { DropdownMenu, MenuItem } from '../overlay/dropdown-menu.tsx'
import { FormDialog } from '../overlay/form-dialog.tsx'
import { useUnsavedChanges } from '../overlay/unsaved-changes.tsx'

type View = {
  id: string
  name: string
  isOn: boolean
  /** Rows of the list in this view; null: not known. */
  count: number | null
}

type SavedViewsProps = {
  views: readonly View[]
  /** The list is narrowed or sorted as no view is. */
  canSave: boolean
  onOpen: (id: string) => void
  /** Both answer why it was not done; null: it was. */
  onSave: (name: string) => Promise<string | null>
  onRename: (id: string, name: string) => Promise<string | null>
  onDelete: (id: string) => void
}

/** The views of a list that its reader keeps by a name, with what each counts. */
export function SavedViews({ views, canSave, onOpen, onDelete, ...rest }: SavedViewsProps) {
  const [named, setNamed] = useState<'new' | View | null>(null)
  if (views.length === 0 && !canSave) return null
  return (
    <section
      aria-label="Saved views"
      className="flex flex-wrap items-center gap-1.5 border-line border-b px-5 py-2"
    >
      {views.map((view) => (
        <span key={view.id} className="inline-flex items-center">
          <ViewChip view={view} onOpen={() => onOpen(view.id)} />
          {view.isOn && (
            <ViewMenu
              name={view.name}
              onRename={() => setNamed(view)}
              onDelete={() => onDelete(view.id)}
            />
          )}
        </span>
      ))}
      {canSave && (
        <Button variant="quiet" size="small" onClick={() => setNamed('new')}>
          <Bookmark aria-hidden />
          Save view
        </Button>
      )}
      {named !== null && (
        <NameDialog
          view={named === 'new' ? null : named}
          save={(name) => (named === 'new' ? rest.onSave(name) : rest.onRename(named.id, name))}
          onClose={() => setNamed(null)}
        />
      )}
    </section>
  )
}

function ViewChip({ view: { name, count, isOn }, onOpen }: { view: View; onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onOpen}
      className={cn(
        'inline-flex h-8 max-w-64 items-center gap-1.5 rounded-full border px-3 text-xs tabular-nums transition-colors',
        isOn
          ? 'border-accent bg-accent-wash font-medium text-accent-ink'
          : 'border-line text-soft hover:bg-hover hover:text-ink',
      )}
    >
      <span dir="auto" className="truncate">
        {name}
      </span>
      {count !== null && <span className="font-medium">{formatCount(count)}</span>}
    </button>
  )
}

type ViewMenuProps = { name: string; onRename: () => void; onDelete: () => void }

function ViewMenu({ name, onRename, onDelete }: ViewMenuProps) {
  return (
    <DropdownMenu
      align="start"
      trigger={
        <Button variant="quiet" size="iconSmall" aria-label={`Actions for the view ${name}`}>
          <EllipsisVertical aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={onRename}>
        <Pencil aria-hidden />
        Rename view
      </MenuItem>
      <MenuItem onSelect={onDelete}>
        <Trash2 aria-hidden />
        Delete view
      </MenuItem>
    </DropdownMenu>
  )
}

type NameDialogProps = {
  view: View | null
  save: (name: string) => Promise<string | null>
  onClose: () => void
}

function NameDialog({ view, save, onClose }: NameDialogProps) {
  const before = view?.name ?? ''
  const [name, setName] = useState(before)
  const [refusal, setRefusal] = useState('')
  const [isPending, setIsPending] = useState(false)
  const unsaved = useUnsavedChanges(name !== before, onClose)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setRefusal('Please enter a name')
    setIsPending(true)
    const refused = await save(name.trim())
    setIsPending(false)
    if (refused === null) unsaved.leave()
    else setRefusal(refused)
  }
  return (
    <FormDialog
      title={view ? 'Rename view' : 'Save view'}
      description={
        view
          ? 'What it shows stays the same.'
          : 'Keeps the search, the filters and the order of this list. Only you see it, in this workspace.'
      }
      unsaved={unsaved}
      onSubmit={(event) => void submit(event)}
      submitText="Save"
      pendingText="Saving..."
      isPending={isPending}
    >
      <Field label="Name" required error={refusal || undefined}>
        {(control) => (
          <Input
            {...control}
            value={name}
            maxLength={60}
            autoComplete="off"
            onChange={({ target }) => {
              setName(target.value)
              setRefusal('')
            }}
          />
        )}
      </Field>
    </FormDialog>
  )
}

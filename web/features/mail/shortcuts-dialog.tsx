import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { shortcutGroups } from './use-shortcuts.ts'

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Keyboard shortcuts"
      size="medium"
      isText
    >
      <div className="gap-8 sm:columns-2">
        {shortcutGroups.map(({ title, keys }) => (
          <section key={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-2 font-semibold text-sm">{title}</h3>
            <dl className="grid grid-cols-[6.5rem_1fr] items-center gap-x-4 gap-y-1.5 text-sm">
              {keys.map(([names, does]) => (
                <div key={names} className="contents">
                  <dt>
                    <kbd className="rounded-md border border-line bg-sunken px-2 py-0.5 font-sans text-xs">
                      {names}
                    </kbd>
                  </dt>
                  <dd className="text-soft">{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

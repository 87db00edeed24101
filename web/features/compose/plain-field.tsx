import { Type } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'

type PlainFieldProps = {
  text: string
  onChange: (text: string) => void
  /** Gets pasted files. */
  onFiles: (files: readonly File[]) => void
  /** Goes on with formatting. */
  onFormatting: () => void
  isFocused: boolean
  isInvalid: boolean
  describedBy: string
}

/** A letter without formatting (decision 070). */
export function PlainField(props: PlainFieldProps) {
  const { text, onChange, onFiles, onFormatting, isFocused, isInvalid, describedBy } = props
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!isFocused) return
    box.current?.focus()
    box.current?.setSelectionRange(0, 0)
    // In a low window what stands above fills it.
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [isFocused])
  return (
    <div
      className={cn(
        'flex min-h-64 shrink-0 grow flex-col overflow-hidden rounded-control border border-control bg-surface focus-within:border-accent-ink focus-within:ring-3 focus-within:ring-accent/25',
        isInvalid && 'border-bad focus-within:ring-bad/25',
      )}
    >
      <div className="flex shrink-0 items-center justify-between gap-2 border-line border-b bg-sunken py-1 pr-1 pl-3.5">
        <span className="text-soft text-xs">Plain text</span>
        <Button variant="quiet" size="small" onClick={onFormatting}>
          <Type aria-hidden />
          Formatting
        </Button>
      </div>
      <textarea
        ref={box}
        aria-label="Message"
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        value={text}
        onChange={({ target }) => onChange(target.value)}
        onPaste={(event) => {
          const files = [...event.clipboardData.files]
          if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
          event.preventDefault()
          onFiles(files)
        }}
        className="field-sizing-content min-h-0 scroll-mt-12 scroll-mb-24 flex-1 resize-none bg-transparent px-3.5 py-3 text-sm outline-none max-md:text-base"
      />
    </div>
  )
}

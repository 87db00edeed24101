import { Paperclip, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { formatBytes } from '#web/lib/format.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FieldError } from '#web/ui/form/field.tsx'
import { type AttachedFile, attach, whyTooMuch } from './attached-files.ts'

type AttachmentsFieldProps = {
  files: readonly AttachedFile[]
  onAdd: (files: AttachedFile[]) => void
  onRemove: (key: string) => void
  error: string | undefined
}

export function AttachmentsField({ files, onAdd, onRemove, error }: AttachmentsFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const [refusal, setRefusal] = useState<string>()
  const [isReading, setIsReading] = useState(false)
  const add = async (chosen: readonly File[]) => {
    const reason = whyTooMuch(files, chosen)
    setRefusal(reason ?? undefined)
    if (reason !== null || chosen.length === 0) return
    setIsReading(true)
    try {
      onAdd(await Promise.all(chosen.map((file) => attach(file, file.name, file.type))))
    } catch {
      setRefusal('A file could not be read. Is it still there?')
    } finally {
      setIsReading(false)
    }
  }
  return (
    <div className="grid gap-2">
      {files.length > 0 && (
        <ul aria-label="Attached files" className="flex flex-wrap gap-2">
          {files.map((file) => (
            <li
              key={file.key}
              className="flex max-w-full items-center gap-2 rounded-lg border border-line bg-sunken py-1 pr-1 pl-2.5 text-sm"
            >
              <Paperclip className="size-3.5 shrink-0 text-soft" aria-hidden />
              <span className="max-w-52 truncate">{file.filename}</span>
              <span className="text-soft text-xs">{formatBytes(file.size)}</span>
              <button
                type="button"
                aria-label={`Remove ${file.filename}`}
                onClick={() => {
                  setRefusal(undefined)
                  onRemove(file.key)
                }}
                className="grid size-6 place-items-center rounded text-soft hover:text-ink"
              >
                <X className="size-3.5" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          size="small"
          isPending={isReading}
          aria-describedby={errorId}
          onClick={() => picker.current?.click()}
        >
          <Paperclip aria-hidden />
          Attach files
        </Button>
        <FieldError id={errorId} message={refusal ?? error} />
      </div>
      <input
        ref={picker}
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Files to attach"
        className="hidden"
        onChange={(event) => {
          void add([...(event.target.files ?? [])])
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
    </div>
  )
}

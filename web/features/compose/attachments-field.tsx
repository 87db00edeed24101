import { Paperclip, RotateCw, X } from 'lucide-react'
import { useEffect, useId, useReducer, useRef } from 'react'
import { formatBytes } from '#web/lib/format.ts'
import { FileName } from '#web/mail-content/file-name.tsx'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FieldError } from '#web/ui/form/field.tsx'
import type { AttachedFile } from './attached-files.ts'
import type { UploadShelf } from './upload-shelf.ts'

type AttachmentsFieldProps = {
  files: readonly AttachedFile[]
  shelf: UploadShelf
  onAdd: (files: readonly File[]) => void
  onRemove: (key: string) => void
  error: string | undefined
}

export function AttachmentsField({ files, shelf, onAdd, onRemove, error }: AttachmentsFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const errorId = useId()
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  useEffect(() => shelf.onChange(rerender), [shelf])
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {files.length > 0 && (
        <ul aria-label="Attached files" className="flex flex-wrap gap-2">
          {files.map((file) => (
            <FileChip
              key={file.key}
              file={file}
              shelf={shelf}
              onRemove={() => {
                onRemove(file.key)
                button.current?.focus()
              }}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          ref={button}
          variant="secondary"
          size="small"
          aria-describedby={errorId}
          onClick={() => picker.current?.click()}
        >
          <Paperclip aria-hidden />
          Attach files
        </Button>
        {files.length > 1 && (
          <span className="text-soft text-xs">{formatBytes(bytes)} of 18MB</span>
        )}
        <FieldError id={errorId} message={error} />
      </div>
      <input
        ref={picker}
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Files to attach"
        className="hidden"
        onChange={(event) => {
          onAdd([...(event.target.files ?? [])])
          // So that the same file can be chosen again.
          event.target.value = ''
        }}
      />
    </div>
  )
}

type FileChipProps = { file: AttachedFile; shelf: UploadShelf; onRemove: () => void }

function FileChip({ file, shelf, onRemove }: FileChipProps) {
  const state = shelf.stateOf(file.key)
  const isUploading = state.status === 'uploading' || state.status === 'waiting'
  const percent = state.status === 'uploading' ? Math.round(state.progress * 100) : 0
  const hasFailed = state.status === 'failed'
  return (
    <li
      className={cn(
        'relative flex max-w-full items-center gap-2 overflow-hidden rounded-lg border border-line bg-sunken py-1 pr-1 pl-2.5 text-sm',
        hasFailed && 'border-bad',
      )}
    >
      <Paperclip className="size-3.5 shrink-0 text-soft" aria-hidden />
      <FileName name={file.filename} className="max-w-52" />
      <span className="shrink-0 text-soft text-xs">
        {hasFailed ? 'not uploaded' : isUploading ? `${percent}%` : formatBytes(file.size)}
      </span>
      {hasFailed && (
        <button
          type="button"
          aria-label={`Upload ${file.filename} again`}
          onClick={() => void shelf.idOf(file.key).catch(() => undefined)}
          className="grid size-6 shrink-0 place-items-center rounded text-soft hover:text-ink"
        >
          <RotateCw className="size-3.5" aria-hidden />
        </button>
      )}
      <button
        type="button"
        aria-label={`${isUploading ? 'Cancel' : 'Remove'} ${file.filename}`}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded text-soft hover:text-ink"
      >
        <X className="size-3.5" aria-hidden />
      </button>
      {isUploading && (
        <progress
          aria-label={`Uploading ${file.filename}`}
          value={percent}
          max={100}
          className="absolute inset-x-0 bottom-0 h-0.5 w-full appearance-none [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
        />
      )}
    </li>
  )
}

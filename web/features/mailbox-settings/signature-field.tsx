import { type ReactNode, useEffect, useId, useState } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { formatBytes } from '#web/lib/format.ts'
import { LazyEditor, loadEditor } from '#web/ui/editor/lazy-editor.tsx'
import { IMAGE_TYPES, type LocalImages } from '#web/ui/editor/local-images.ts'
import { FieldError } from '#web/ui/form/field.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import type { SettingsValues } from './settings-fields.ts'

const Editor = lazyPart(async () => (await loadEditor()).RichTextEditor)

/** As data they grow by a third, and a signature takes 700,000 characters with its text. */
const MAX_IMAGE_BYTES = 500_000

type SignatureFieldProps = {
  form: UseFormReturn<SettingsValues>
  images: LocalImages
}

export function SignatureField({ form, images }: SignatureFieldProps) {
  const errorId = useId()
  // Not an error of the form: the picture was not taken, and what is there is right.
  const [refusal, setRefusal] = useState<string>()
  const [start] = useState(() => form.getValues('signature') ?? '')
  const addImage = (file: File): string | null => {
    const size = images.bytesIn(form.getValues('signature') ?? '') + file.size
    const reason = !IMAGE_TYPES.includes(file.type)
      ? 'Please choose a PNG, JPEG, GIF or WebP image'
      : size > MAX_IMAGE_BYTES
        ? `The images of a signature may have ${formatBytes(MAX_IMAGE_BYTES)} in total; with ${file.name} they would have ${formatBytes(size)}`
        : undefined
    setRefusal(reason)
    return reason === undefined ? images.add(file) : null
  }
  return (
    <Controller
      name="signature"
      control={form.control}
      render={({ field, fieldState }) => (
        <div className="grid gap-1.5">
          <p className="font-medium text-sm">Signature</p>
          <SafeHtml html={start}>
            {(html) => (
              <LazyEditor
                part={Editor}
                label="Signature"
                initialHtml={html}
                onChange={(changed) => {
                  setRefusal(undefined)
                  field.onChange(changed)
                }}
                onImage={addImage}
                isInvalid={fieldState.error !== undefined}
                describedBy={errorId}
              />
            )}
          </SafeHtml>
          <FieldError id={errorId} message={fieldState.error?.message ?? refusal} />
        </div>
      )}
    />
  )
}

type SafeHtmlProps = { html: string; children: (safe: string) => ReactNode }

/** Sanitises what another member may have written, before an editor of ours takes it. The first text holds. */
export function SafeHtml({ html, children }: SafeHtmlProps) {
  const [first] = useState(html)
  const [safe, setSafe] = useState<string | null>(first === '' ? '' : null)
  useEffect(() => {
    if (first === '') return
    let isWanted = true
    void import('#web/features/compose/quotation.ts')
      .then(({ editableHtml }) => editableHtml(first))
      .then((html) => isWanted && setSafe(html))
    return () => {
      isWanted = false
    }
  }, [first])
  return safe === null ? <Skeleton className="h-[305px] w-full" /> : children(safe)
}

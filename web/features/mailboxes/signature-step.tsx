import { useId, useState } from 'react'
import { Controller } from 'react-hook-form'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { formatBytes } from '#web/lib/format.ts'
import { LazyEditor, loadEditor } from '#web/ui/editor/lazy-editor.tsx'
import { IMAGE_TYPES, type LocalImages } from '#web/ui/editor/local-images.ts'
import { FieldError } from '#web/ui/form/field.tsx'
import type { GenerateForm } from './generate-values.ts'

const Editor = lazyPart(async () => (await loadEditor()).RichTextEditor)

/** As data they grow by a third, and a signature takes 700,000 characters with its text. */
const MAX_IMAGE_BYTES = 500_000

type SignatureStepProps = { form: GenerateForm; images: LocalImages }

export function SignatureStep({ form, images }: SignatureStepProps) {
  const errorId = useId()
  // Not an error of the form: the picture was not taken, and what is there is right.
  const [refusal, setRefusal] = useState<string>()
  const addImage = (file: File, html: string): string | null => {
    const size = images.bytesIn(html) + file.size
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
          <div className="flex items-baseline justify-between gap-3">
            <p aria-hidden className="font-medium text-sm">
              Signature
            </p>
            <span className="text-soft text-xs">Optional</span>
          </div>
          <LazyEditor
            part={Editor}
            label="Signature"
            initialHtml={field.value}
            onChange={(html) => {
              setRefusal(undefined)
              field.onChange(html)
            }}
            onImage={(file) => addImage(file, form.getValues('signature'))}
            isInvalid={fieldState.error !== undefined}
            describedBy={errorId}
          />
          <FieldError id={errorId} message={fieldState.error?.message ?? refusal} />
        </div>
      )}
    />
  )
}

import { type ReactNode, useEffect, useState } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { MAX_SIGNATURE_IMAGES_BYTES } from '#contract/fields.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { EditorField, loadEditor } from '#web/ui/editor/lazy-editor.tsx'
import type { LocalImages } from '#web/ui/editor/local-images.ts'
import { Skeleton } from '#web/ui/state/loading.tsx'
import type { SettingsValues } from './settings-fields.ts'

const Editor = lazyPart(async () => (await loadEditor()).RichTextEditor)

type SignatureFieldProps = {
  form: UseFormReturn<SettingsValues>
  images: LocalImages
}

export function SignatureField({ form, images }: SignatureFieldProps) {
  const [start] = useState(() => form.getValues('signature') ?? '')
  return (
    <Controller
      name="signature"
      control={form.control}
      render={({ field, fieldState }) => (
        <div className="grid gap-1.5">
          <p className="font-medium text-sm">Signature</p>
          <SafeHtml html={start}>
            {(html) => (
              <EditorField
                part={Editor}
                label="Signature"
                initialHtml={html}
                currentHtml={() => form.getValues('signature') ?? ''}
                onChange={field.onChange}
                images={images}
                maxImageBytes={MAX_SIGNATURE_IMAGES_BYTES}
                of="a signature"
                error={fieldState.error?.message}
              />
            )}
          </SafeHtml>
        </div>
      )}
    />
  )
}

type SafeHtmlProps = { html: string; children: (safe: string) => ReactNode }

/** Sanitises HTML that another member may have written before an editor gets it. Later values of `html` are ignored. */
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

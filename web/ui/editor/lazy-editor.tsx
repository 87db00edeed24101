import { type ComponentType, Suspense, useId, useState } from 'react'
import { cn } from '../cn.ts'
import { FieldError } from '../form/field.tsx'
import { Spinner } from '../state/loading.tsx'
import { imageRefusal, type LocalImages } from './local-images.ts'
import type { RichTextEditorProps } from './rich-text-editor.tsx'

export const loadEditor = () => import('./rich-text-editor.tsx')

type LazyEditorProps = RichTextEditorProps & {
  /** `RichTextEditor`, loaded lazily. */
  part: ComponentType<RichTextEditorProps>
}

/** The editor, loaded when it is first shown; a placeholder keeps its space. */
export function LazyEditor({ part: Editor, ...props }: LazyEditorProps) {
  return (
    <Suspense fallback={<LoadingEditor isMessage={props.kind === 'message'} />}>
      <Editor {...props} />
    </Suspense>
  )
}

function LoadingEditor({ isMessage }: { isMessage: boolean }) {
  return (
    <div
      role="status"
      className={cn(
        isMessage ? 'min-h-64 grow' : 'h-[305px]',
        'flex items-center justify-center gap-2.5 rounded-control border border-line bg-sunken text-soft text-sm',
      )}
    >
      <Spinner />
      Please wait loading Editor....
    </div>
  )
}

type EditorFieldProps = Pick<LazyEditorProps, 'part' | 'label' | 'initialHtml' | 'onChange'> & {
  currentHtml: () => string
  images: LocalImages
  /** Bytes that all pictures of the text may have. */
  maxImageBytes: number
  /** The text, as named in an error: 'a signature'. */
  of: string
  error: string | undefined
}

/** An editor with its error below, for a text whose pictures are part of it. A picture that is too large is refused. */
export function EditorField(props: EditorFieldProps) {
  const { currentHtml, images, maxImageBytes, of, error, onChange, ...editor } = props
  const errorId = useId()
  // Not a form error: the picture was refused, and the content is valid.
  const [refusal, setRefusal] = useState<string | null>(null)
  const addImage = (file: File): string | null => {
    const reason = imageRefusal(file, of, images.bytesIn(currentHtml()), maxImageBytes)
    setRefusal(reason)
    return reason === null ? images.add(file) : null
  }
  return (
    <>
      <LazyEditor
        {...editor}
        onChange={(changed) => {
          setRefusal(null)
          onChange(changed)
        }}
        onImage={addImage}
        isInvalid={error !== undefined}
        describedBy={errorId}
      />
      <FieldError id={errorId} message={error ?? refusal ?? undefined} />
    </>
  )
}

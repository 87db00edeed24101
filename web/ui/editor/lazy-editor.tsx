import { type ComponentType, Suspense } from 'react'
import { cn } from '../cn.ts'
import { Spinner } from '../state/loading.tsx'
import type { RichTextEditorProps } from './rich-text-editor.tsx'

export const loadEditor = () => import('./rich-text-editor.tsx')

type LazyEditorProps = RichTextEditorProps & {
  /** `RichTextEditor`, however it is fetched. */
  part: ComponentType<RichTextEditorProps>
}

/** The editor, fetched when it is first shown; its place is held meanwhile. */
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

/**
 * The rich-text editor. A signature has five buttons, no menu bar and a fixed height; a message also has lists, quotes, links,
 * tables, sizes, colours and emoji, and fills the available height and grows with its text. Heavy: load it through `lazy-editor.tsx`.
 */
import type { EditorView } from '@tiptap/pm/view'
import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useRef, useState } from 'react'
import { cn } from '../cn.ts'
import { styleNonce } from '../style-nonce.ts'
import { clickBelow } from './click-below.ts'
import { extensionsOf } from './editor-extensions.ts'
import { EditorToolbar } from './editor-toolbar.tsx'
import { LinkForm } from './link-form.tsx'
import { MessageToolbar } from './message-toolbar.tsx'
import { pastedHtml } from './pasted-html.ts'
import { TableToolbar } from './table-toolbar.tsx'

export const EDITOR_HEIGHT_PX = 305

export type RichTextEditorProps = {
  label: string
  /** HTML that the editor starts with. */
  initialHtml: string
  /** Called with '' when the editor is empty. */
  onChange: (html: string) => void
  /** Returns the URL of the picture, or null when it is refused. */
  onImage: (file: File) => string | null
  kind?: 'signature' | 'message'
  /** Gets pasted and dropped files that are no pictures; without it they are handled like pictures. */
  onFiles?: (files: readonly File[]) => void
  /** Called after each paste with the number of pictures that were left out, because they are elsewhere. */
  onPaste?: (leftOut: number) => void
  isInvalid?: boolean
  describedBy?: string
  /** Of a message: goes on without formatting. */
  onPlainText?: () => void
  /** HTML of a signature below the text: a click below it goes to the end of what stands before it. */
  ending?: string
  /** true: takes the focus when it has loaded, at the start of the text. */
  isFocused?: boolean
}

/** As the mail shows them; `selectedCell` is the class of cells selected together. */
const TABLES =
  '[&_table]:my-1 [&_table]:border-collapse [&_td]:min-w-12 [&_td]:border [&_td]:border-control [&_td]:px-2 [&_td]:py-1 [&_td]:align-top [&_th]:min-w-12 [&_th]:border [&_th]:border-control [&_th]:px-2 [&_th]:py-1 [&_th]:text-left [&_th]:align-top [&_.selectedCell]:bg-accent-wash'

/** Headings come with pasted text, and keep their levels. */
const HEADINGS =
  '[&_h1]:text-xl [&_h2]:text-lg [&_h3]:text-base [&_:is(h1,h2,h3,h4,h5,h6)]:mt-1.5 [&_:is(h1,h2,h3,h4,h5,h6)]:font-semibold'

/** Inserts pasted or dropped pictures at the selection. Returns true when it handled the event. */
function takesImages(
  view: EditorView,
  given: DataTransfer | null,
  { onImage, onFiles }: Pick<RichTextEditorProps, 'onImage' | 'onFiles'>,
): boolean {
  const files = [...(given?.files ?? [])]
  // Office programs add a picture of the text beside the text itself.
  if (files.length === 0 || given?.types.includes('text/html')) return false
  const others = onFiles ? files.filter(({ type }) => !type.startsWith('image/')) : []
  if (others.length > 0) onFiles?.(others)
  for (const file of files.filter((each) => !others.includes(each))) {
    const src = onImage(file)
    const image = src && view.state.schema.nodes.image?.create({ src, alt: file.name })
    if (image) view.dispatch(view.state.tr.replaceSelectionWith(image))
  }
  return true
}

function useFocusAtStart(editor: Editor | null, isFocused: boolean): void {
  useEffect(() => {
    // The library's `autofocus` runs before the editor is in the document, and has no effect.
    if (!isFocused || editor?.isDestroyed !== false) return
    editor.view.focus()
    // In a low window what stands above fills it.
    editor.view.dom.scrollIntoView({ block: 'nearest' })
  }, [editor, isFocused])
}

export function RichTextEditor(props: RichTextEditorProps) {
  const {
    label,
    initialHtml,
    onImage,
    kind = 'signature',
    isInvalid = false,
    describedBy,
    isFocused = false,
  } = props
  const [isLinking, setIsLinking] = useState(false)
  const isMessage = kind === 'message'
  // Refers to the latest props, because the editor keeps its first handlers.
  const latest = useRef(props)
  latest.current = props
  const editor = useEditor({
    extensions: extensionsOf[kind],
    content: initialHtml,
    injectNonce: styleNonce(),
    editorProps: {
      transformPastedHTML: (html) => {
        const pasted = pastedHtml(html, isMessage)
        latest.current.onPaste?.(pasted.leftOut)
        return pasted.html
      },
      handlePaste: (view, event) => takesImages(view, event.clipboardData, latest.current),
      // Otherwise the browser would open the dropped picture instead of the page.
      handleDrop: (view, event, _slice, isMoved) =>
        !isMoved && takesImages(view, event.dataTransfer, latest.current),
      handleDOMEvents: { mousedown: (view, event) => clickBelow(view, event, latest.current) },
      handleKeyDown: (_view, event) => {
        if (!isMessage || event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return false
        event.preventDefault()
        setIsLinking(true)
        return true
      },
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
        class: cn(
          'min-h-full scroll-mt-12 scroll-mb-24 px-3.5 py-3 text-sm outline-none [&_a]:text-accent-ink [&_blockquote]:border-line [&_blockquote]:border-l-2 [&_blockquote]:pl-3 [&_ol]:list-decimal [&_ol]:pl-6 [&_ul]:list-disc [&_ul]:pl-6 [&_a]:underline [&_img]:inline [&_img]:max-h-48 [&_img]:max-w-full [&_p]:min-h-5 [&_.ProseMirror-selectednode]:outline-2 [&_.ProseMirror-selectednode]:outline-accent-ink',
          isMessage && TABLES,
          isMessage && HEADINGS,
        ),
      },
    },
    onUpdate: ({ editor: changed }) =>
      latest.current.onChange(changed.isEmpty ? '' : changed.getHTML()),
  })
  useFocusAtStart(editor, isFocused)
  return (
    <div
      style={isMessage ? {} : { height: EDITOR_HEIGHT_PX }}
      className={cn(
        isMessage && 'min-h-64 shrink-0 grow',
        'flex flex-col overflow-hidden rounded-control border border-control bg-surface focus-within:border-accent-ink focus-within:ring-3 focus-within:ring-accent/25',
        isInvalid && 'border-bad focus-within:ring-bad/25',
      )}
    >
      {editor && !isMessage && <EditorToolbar editor={editor} onImage={onImage} />}
      {editor && isMessage && (
        <MessageToolbar
          editor={editor}
          onImage={onImage}
          onLink={() => setIsLinking(true)}
          onPlainText={props.onPlainText}
        />
      )}
      {editor && isMessage && <TableToolbar editor={editor} />}
      {editor && isLinking && <LinkForm editor={editor} onClose={() => setIsLinking(false)} />}
      <EditorContent editor={editor} className="min-h-0 flex-1 overflow-y-auto [&>div]:h-full" />
    </div>
  )
}

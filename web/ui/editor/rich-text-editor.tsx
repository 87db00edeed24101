/** The rich-text editor: a toolbar of five and no menu bar. Heavy: load it through `lazy-editor.tsx`. */
import { Image } from '@tiptap/extension-image'
import { TextAlign } from '@tiptap/extension-text-align'
import type { EditorView } from '@tiptap/pm/view'
import { EditorContent, useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { cn } from '../cn.ts'
import { styleNonce } from '../style-nonce.ts'
import { EditorToolbar } from './editor-toolbar.tsx'

export const EDITOR_HEIGHT_PX = 305

export type RichTextEditorProps = {
  label: string
  /** HTML that the editor starts with. */
  initialHtml: string
  /** Gets '' when nothing is written. */
  onChange: (html: string) => void
  /** Answers the address to show the picture by, or null when it is refused. */
  onImage: (file: File) => string | null
  isInvalid?: boolean
  describedBy?: string
  /** Takes the focus when it is there, before the first word. */
  isFocused?: boolean
}

/** In the text that it starts with, `align` says what a style would: our policy lets no parser read styles. */
const TextAlignByAttribute = TextAlign.extend({
  addGlobalAttributes() {
    return (this.parent?.() ?? []).map((group) => ({
      ...group,
      attributes: {
        textAlign: {
          ...group.attributes.textAlign,
          parseHTML: (element: HTMLElement) =>
            element.getAttribute('align') || element.style.textAlign || null,
        },
      },
    }))
  },
})

const extensions = [
  StarterKit.configure({
    heading: false,
    code: false,
    codeBlock: false,
    blockquote: false,
    horizontalRule: false,
    bulletList: false,
    orderedList: false,
    listItem: false,
    listKeymap: false,
    link: { openOnClick: false, autolink: true },
  }),
  TextAlignByAttribute.configure({ types: ['paragraph'], alignments: ['left', 'center'] }),
  Image.configure({ allowBase64: true, inline: true }),
]

/** Pasted pictures from elsewhere would be loaded from elsewhere. */
const withoutRemoteImages = (html: string) =>
  html.replace(/<img\b(?![^>]*\bsrc=["']?(?:data|blob):)[^>]*>/gi, '')

/** Puts the pictures among pasted or dropped files where the text is selected. */
function takesImages(
  view: EditorView,
  given: DataTransfer | null,
  onImage: RichTextEditorProps['onImage'],
): boolean {
  const files = [...(given?.files ?? [])]
  // Office programs give a picture of the text beside the text itself.
  if (files.length === 0 || given?.types.includes('text/html')) return false
  for (const file of files) {
    const src = onImage(file)
    const image = src && view.state.schema.nodes.image?.create({ src, alt: file.name })
    if (image) view.dispatch(view.state.tr.replaceSelectionWith(image))
  }
  return true
}

export function RichTextEditor(props: RichTextEditorProps) {
  const {
    label,
    initialHtml,
    onChange,
    onImage,
    isInvalid = false,
    describedBy,
    isFocused = false,
  } = props
  const editor = useEditor({
    extensions,
    content: initialHtml,
    autofocus: isFocused ? 'start' : false,
    injectNonce: styleNonce(),
    editorProps: {
      transformPastedHTML: withoutRemoteImages,
      handlePaste: (view, event) => takesImages(view, event.clipboardData, onImage),
      // Left alone, the browser would open the picture in place of the page.
      handleDrop: (view, event, _slice, isMoved) =>
        !isMoved && takesImages(view, event.dataTransfer, onImage),
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
        class:
          'min-h-full px-3.5 py-3 text-sm outline-none [&_a]:text-accent-ink [&_a]:underline [&_img]:inline [&_img]:max-h-48 [&_img]:max-w-full [&_p]:min-h-5 [&_.ProseMirror-selectednode]:outline-2 [&_.ProseMirror-selectednode]:outline-accent-ink',
      },
    },
    onUpdate: ({ editor: changed }) => onChange(changed.isEmpty ? '' : changed.getHTML()),
  })
  return (
    <div
      style={{ height: EDITOR_HEIGHT_PX }}
      className={cn(
        'flex flex-col overflow-hidden rounded-control border border-control bg-surface focus-within:border-accent-ink focus-within:ring-3 focus-within:ring-accent/25',
        isInvalid && 'border-bad focus-within:ring-bad/25',
      )}
    >
      {editor && <EditorToolbar editor={editor} onImage={onImage} />}
      <EditorContent editor={editor} className="min-h-0 flex-1 overflow-y-auto [&>div]:h-full" />
    </div>
  )
}

import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { Bold, ImagePlus, Italic, TextAlignCenter, TextAlignStart } from 'lucide-react'
import {
  type ComponentProps,
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  useRef,
} from 'react'
import { cn } from '../cn.ts'
import { IMAGE_TYPES } from './local-images.ts'

/** The five buttons of the specification. */
export function EditorToolbar({ editor, onImage }: ToolbarProps) {
  const is = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      bold: current.isActive('bold'),
      italic: current.isActive('italic'),
      center: current.isActive({ textAlign: 'center' }),
    }),
  })
  const chain = () => editor.chain().focus()
  return (
    <Toolbar>
      <Tool label="Bold" icon={Bold} isOn={is.bold} onPress={() => chain().toggleBold().run()} />
      <Tool
        label="Italic"
        icon={Italic}
        isOn={is.italic}
        onPress={() => chain().toggleItalic().run()}
      />
      <Tool
        label="Align left"
        icon={TextAlignStart}
        isOn={!is.center}
        onPress={() => chain().unsetTextAlign().run()}
      />
      <Tool
        label="Align center"
        icon={TextAlignCenter}
        isOn={is.center}
        onPress={() => chain().setTextAlign('center').run()}
      />
      <ImageTool editor={editor} onImage={onImage} />
    </Toolbar>
  )
}

export type ToolbarProps = { editor: Editor; onImage: (file: File) => string | null }
type ImageToolProps = ToolbarProps & { isWithin?: boolean; className?: string }

export function ImageTool({ editor, onImage, isWithin = false, className }: ImageToolProps) {
  const picker = useRef<HTMLInputElement>(null)
  const insert = (file: File | undefined) => {
    const src = file && onImage(file)
    if (src) editor.chain().focus().setImage({ src, alt: file.name }).run()
  }
  return (
    <>
      <Tool
        label="Insert image"
        icon={ImagePlus}
        isWithin={isWithin}
        {...(className ? { className } : {})}
        onPress={() => picker.current?.click()}
      />
      <input
        ref={picker}
        type="file"
        accept={IMAGE_TYPES.join(',')}
        tabIndex={-1}
        aria-label="Image file"
        className="hidden"
        onChange={(event) => {
          insert(event.target.files?.[0])
          // So that the same file can be chosen again.
          event.target.value = ''
        }}
      />
    </>
  )
}

/** Further props, such as those of a menu that it opens, go to the button. */
type ToolProps = Omit<ComponentProps<'button'>, 'children'> & {
  label: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** Set for toggle buttons: whether it is pressed. */
  isOn?: boolean | undefined
  /** true: reached only by arrow keys, not by Tab. */
  isWithin?: boolean
  onPress?: () => void
}

export function Tool(props: ToolProps) {
  const { label, icon: Icon, isOn, isWithin = false, className, onPress, ...rest } = props
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      tabIndex={isWithin ? -1 : 0}
      // Keeps the selection in the text.
      onMouseDown={(event) => event.preventDefault()}
      {...(onPress ? { onClick: onPress } : {})}
      className={cn(
        'grid size-8 pointer-coarse:size-10 place-items-center rounded-md text-soft -outline-offset-2 hover:bg-hover hover:text-ink',
        isOn && 'bg-accent-wash text-accent-ink',
        className,
      )}
    >
      <Icon className="size-4" aria-hidden />
    </button>
  )
}

type ToolbarBoxProps = { label?: string; children: ReactNode }

export function Toolbar({ label = 'Formatting', children }: ToolbarBoxProps) {
  return (
    <div
      role="toolbar"
      aria-label={label}
      onKeyDown={moveAmongButtons}
      className="flex shrink-0 flex-wrap gap-0.5 border-line border-b bg-sunken p-1"
    >
      {children}
    </div>
  )
}

/** Arrow keys move along the toolbar, as its role requires. */
function moveAmongButtons(event: KeyboardEvent<HTMLDivElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  const at = document.activeElement
  if (!step || !(at instanceof HTMLButtonElement)) return
  // React bubbles the keys of a menu that a tool has opened.
  if (!event.currentTarget.contains(at)) return
  const buttons = [...event.currentTarget.querySelectorAll('button')].filter((button) =>
    button.checkVisibility(),
  )
  buttons[(buttons.indexOf(at) + step + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
}

import { useEditorState } from '@tiptap/react'
import {
  Bold,
  Italic,
  Link,
  List,
  ListOrdered,
  Quote,
  RemoveFormatting,
  Strikethrough,
  Underline,
} from 'lucide-react'
import { ImageTool, Tool, Toolbar, type ToolbarProps } from './editor-toolbar.tsx'

/** The toolbar for messages, with more than a signature needs. One Tab stop; arrow keys move within. */
export function MessageToolbar({ editor, onImage, onLink }: ToolbarProps & { onLink: () => void }) {
  const is = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      bold: current.isActive('bold'),
      italic: current.isActive('italic'),
      underline: current.isActive('underline'),
      strike: current.isActive('strike'),
      bullets: current.isActive('bulletList'),
      numbers: current.isActive('orderedList'),
      quote: current.isActive('blockquote'),
      link: current.isActive('link'),
    }),
  })
  const chain = () => editor.chain().focus()
  const tools = [
    ['Bold', Bold, is.bold, () => chain().toggleBold().run()],
    ['Italic', Italic, is.italic, () => chain().toggleItalic().run()],
    ['Underline', Underline, is.underline, () => chain().toggleUnderline().run()],
    ['Strike through', Strikethrough, is.strike, () => chain().toggleStrike().run()],
    ['Bullet list', List, is.bullets, () => chain().toggleBulletList().run()],
    ['Numbered list', ListOrdered, is.numbers, () => chain().toggleOrderedList().run()],
    ['Quote', Quote, is.quote, () => chain().toggleBlockquote().run()],
    ['Link', Link, is.link, onLink],
  ] as const
  return (
    <Toolbar>
      {tools.map(([label, icon, isOn, press], at) => (
        <Tool key={label} label={label} icon={icon} isOn={isOn} isWithin={at > 0} onPress={press} />
      ))}
      <ImageTool editor={editor} onImage={onImage} isWithin />
      <Tool
        isWithin
        label="Clear formatting"
        icon={RemoveFormatting}
        onPress={() => chain().unsetAllMarks().clearNodes().run()}
      />
    </Toolbar>
  )
}

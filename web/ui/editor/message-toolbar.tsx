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
  Table,
  Type,
  Underline,
} from 'lucide-react'
import { useState } from 'react'
import { ImageTool, Tool, Toolbar, type ToolbarProps } from './editor-toolbar.tsx'

/** The toolbar for messages, with more than a signature needs. One Tab stop; arrow keys move within. On a phone it is folded. */
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
  const [isWhole, setIsWhole] = useState(false)
  const folded = isWhole ? '' : 'max-sm:hidden'
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
      <Tool
        className="sm:hidden"
        label="Formatting"
        icon={Type}
        isOn={isWhole}
        onPress={() => setIsWhole(!isWhole)}
      />
      {tools.map(([label, icon, isOn, press], at) => (
        <Tool
          key={label}
          {...{ label, icon, isOn }}
          className={folded}
          isWithin={at > 0}
          onPress={press}
        />
      ))}
      <ImageTool editor={editor} onImage={onImage} isWithin />
      <Tool
        isWithin
        className={folded}
        label="Insert table"
        icon={Table}
        onPress={() => chain().insertTable({ rows: 3, cols: 3, withHeaderRow: false }).run()}
      />
      <Tool
        isWithin
        className={folded}
        label="Clear formatting"
        icon={RemoveFormatting}
        onPress={() => chain().unsetAllMarks().clearNodes().run()}
      />
    </Toolbar>
  )
}

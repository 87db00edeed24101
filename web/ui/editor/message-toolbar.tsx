import { useEditorState } from '@tiptap/react'
import {
  Bold,
  Italic,
  LetterText,
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
import { EmojiTool } from './emoji-picker.tsx'
import { LookTools } from './look-tools.tsx'

type MessageToolbarProps = ToolbarProps & {
  onLink: () => void
  /** Goes on without formatting. */
  onPlainText?: (() => void) | undefined
}

/** The toolbar for messages, with more than a signature needs. One Tab stop; arrow keys move within. On a phone it is folded. */
export function MessageToolbar(props: MessageToolbarProps) {
  const { editor, onLink } = props
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
  const marks = [
    ['Bold', Bold, is.bold, () => chain().toggleBold().run()],
    ['Italic', Italic, is.italic, () => chain().toggleItalic().run()],
    ['Underline', Underline, is.underline, () => chain().toggleUnderline().run()],
    ['Strike through', Strikethrough, is.strike, () => chain().toggleStrike().run()],
  ] as const
  const blocks = [
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
      {marks.map(([label, icon, isOn, press], at) => (
        <Tool
          key={label}
          {...{ label, icon, isOn }}
          className={folded}
          isWithin={at > 0}
          onPress={press}
        />
      ))}
      <LookTools editor={editor} className={folded} />
      {blocks.map(([label, icon, isOn, press]) => (
        <Tool key={label} {...{ label, icon, isOn }} className={folded} isWithin onPress={press} />
      ))}
      <InsertTools {...props} className={folded} />
    </Toolbar>
  )
}

function InsertTools(props: MessageToolbarProps & { className: string }) {
  const { editor, onImage, onPlainText, className } = props
  const chain = () => editor.chain().focus()
  return (
    <>
      <EmojiTool
        className={className}
        onPick={(sign) => chain().insertContent(sign).run()}
        focusText={() => void editor.commands.focus()}
      />
      <ImageTool editor={editor} onImage={onImage} isWithin className={className} />
      <Tool
        isWithin
        className={className}
        label="Insert table"
        icon={Table}
        onPress={() => chain().insertTable({ rows: 3, cols: 3, withHeaderRow: false }).run()}
      />
      <Tool
        isWithin
        className={className}
        label="Clear formatting"
        icon={RemoveFormatting}
        onPress={() => chain().unsetAllMarks().clearNodes().run()}
      />
      {onPlainText && (
        <Tool
          isWithin
          className={className}
          label="Plain text"
          icon={LetterText}
          onPress={onPlainText}
        />
      )}
    </>
  )
}

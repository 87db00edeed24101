import { useEditorState } from '@tiptap/react'
import { Bold, Italic, TextAlignCenter, TextAlignStart } from 'lucide-react'
import { Tool, Toolbar } from './editor-tool.tsx'
import { ImageTool, type ToolbarProps } from './image-tool.tsx'

/** The specification's five. */
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

import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import {
  BetweenHorizontalStart,
  BetweenVerticalStart,
  FoldHorizontal,
  FoldVertical,
  Trash2,
} from 'lucide-react'
import { Tool, Toolbar } from './editor-toolbar.tsx'

/** What one does to a table, while the caret is in one. */
export function TableToolbar({ editor }: { editor: Editor }) {
  const isInTable = useEditorState({
    editor,
    selector: ({ editor: current }) => current.isActive('table'),
  })
  if (!isInTable) return null
  const chain = () => editor.chain().focus()
  const tools = [
    ['Add a row', BetweenHorizontalStart, () => chain().addRowAfter().run()],
    ['Add a column', BetweenVerticalStart, () => chain().addColumnAfter().run()],
    ['Delete the row', FoldVertical, () => chain().deleteRow().run()],
    ['Delete the column', FoldHorizontal, () => chain().deleteColumn().run()],
    ['Delete the table', Trash2, () => chain().deleteTable().run()],
  ] as const
  return (
    <Toolbar label="Table">
      {tools.map(([label, icon, press], at) => (
        <Tool key={label} label={label} icon={icon} isWithin={at > 0} onPress={press} />
      ))}
    </Toolbar>
  )
}

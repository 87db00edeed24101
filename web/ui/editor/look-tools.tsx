import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { ALargeSmall, Baseline, TextAlignCenter, TextAlignEnd, TextAlignStart } from 'lucide-react'
import { DropdownMenu, MenuChoice } from '../overlay/dropdown-menu.tsx'
import { Tool } from './editor-toolbar.tsx'
import { COLOURS, SIZES } from './text-look.ts'

type LookToolsProps = { editor: Editor; className: string }

const ALIGNMENTS = [
  ['Align left', 'left', TextAlignStart],
  ['Align center', 'center', TextAlignCenter],
  ['Align right', 'right', TextAlignEnd],
] as const

/** Size, colour and alignment: each a menu, which gives the focus back to the text. */
export function LookTools({ editor, className }: LookToolsProps) {
  const is = useEditorState({
    editor,
    selector: ({ editor: current }) => {
      const { color = null, fontSize = null } = current.getAttributes('textStyle')
      const align = ALIGNMENTS.find(([, textAlign]) => current.isActive({ textAlign }))?.[1]
      return { color, fontSize, align: align ?? 'left' }
    },
  })
  const chain = () => editor.chain().focus()
  const menu = { align: 'start' as const, focusAfter: () => void editor.commands.focus() }
  const tool = { isWithin: true, className }
  const AlignIcon = ALIGNMENTS.find(([, align]) => align === is.align)?.[2] ?? TextAlignStart
  return (
    <>
      <DropdownMenu {...menu} trigger={<Tool {...tool} label="Text size" icon={ALargeSmall} />}>
        <MenuChoice isChecked={is.fontSize === null} onSelect={() => chain().unsetFontSize().run()}>
          Normal
        </MenuChoice>
        {SIZES.map(([name, size]) => (
          <MenuChoice
            key={name}
            isChecked={is.fontSize === size}
            onSelect={() => chain().setFontSize(size).run()}
          >
            <span style={{ fontSize: size }}>{name}</span>
          </MenuChoice>
        ))}
      </DropdownMenu>
      <DropdownMenu {...menu} trigger={<Tool {...tool} label="Text colour" icon={Baseline} />}>
        <MenuChoice isChecked={is.color === null} onSelect={() => chain().unsetColor().run()}>
          <Swatch />
          No colour
        </MenuChoice>
        {COLOURS.map(([name, color]) => (
          <MenuChoice
            key={name}
            isChecked={is.color === color}
            onSelect={() => chain().setColor(color).run()}
          >
            <Swatch color={color} />
            {name}
          </MenuChoice>
        ))}
      </DropdownMenu>
      <DropdownMenu {...menu} trigger={<Tool {...tool} label="Alignment" icon={AlignIcon} />}>
        {ALIGNMENTS.map(([name, align, Icon]) => (
          <MenuChoice
            key={name}
            isChecked={is.align === align}
            onSelect={() => alignText(editor, align)}
          >
            <Icon aria-hidden />
            {name}
          </MenuChoice>
        ))}
      </DropdownMenu>
    </>
  )
}

/** What was chosen for the next letters stays chosen, which a change of the paragraph would undo. */
function alignText(editor: Editor, align: (typeof ALIGNMENTS)[number][1]): void {
  const { storedMarks } = editor.state
  const chain = editor.chain().focus()
  const aligned = align === 'left' ? chain.unsetTextAlign() : chain.setTextAlign(align)
  aligned
    .command(({ tr }) => {
      if (storedMarks) tr.setStoredMarks(storedMarks)
      return true
    })
    .run()
}

function Swatch({ color }: { color?: string }) {
  return (
    <span
      aria-hidden
      className="size-4 rounded-full border border-control"
      style={color ? { backgroundColor: color, borderColor: color } : {}}
    />
  )
}

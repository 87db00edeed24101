import type { Editor } from '@tiptap/core'
import { ImagePlus } from 'lucide-react'
import { useRef } from 'react'
import { Tool } from './editor-tool.tsx'
import { IMAGE_TYPES } from './local-images.ts'

export type ToolbarProps = { editor: Editor; onImage: (file: File) => string | null }
type ImageToolProps = ToolbarProps & { isWithin?: boolean }

export function ImageTool({ editor, onImage, isWithin = false }: ImageToolProps) {
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
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
    </>
  )
}

import type { Editor } from '@tiptap/core'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../form/button.tsx'
import { Input } from '../form/field.tsx'

type LinkFormProps = { editor: Editor; onClose: () => void }

/** Below the toolbar while a link is added or edited; Enter sets it, Escape cancels. */
export function LinkForm({ editor, onClose }: LinkFormProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const before = String(editor.getAttributes('link').href ?? '')
  const [typed, setTyped] = useState(before)
  const [isWrong, setIsWrong] = useState(false)
  useEffect(() => input.current?.select(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React bubbles submit events to the outer form.
    event.stopPropagation()
    const href = safeLink(typed)
    setIsWrong(href === null)
    if (href === null) return input.current?.focus()
    setLink(editor, href, before === '' ? typed.trim() : null)
    onClose()
  }
  const remove = () => {
    removeLink(editor)
    onClose()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    editor.commands.focus()
    onClose()
  }
  return (
    <form
      method="post"
      onSubmit={submit}
      onKeyDown={press}
      aria-label="Link"
      className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b bg-sunken px-2.5 py-2"
    >
      <label htmlFor={id} className="text-sm">
        Leads to
      </label>
      <Input
        id={id}
        ref={input}
        value={typed}
        inputMode="url"
        autoComplete="off"
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        placeholder="https://"
        onChange={({ target }) => setTyped(target.value)}
        className="h-8 min-w-40 flex-1"
      />
      <LinkButtons onRemove={before === '' ? null : remove} />
      {isWrong && (
        <p id={`${id}-error`} role="alert" className="basis-full text-bad text-xs">
          Please enter a web address or an email address
        </p>
      )}
    </form>
  )
}

/** `onRemove`: null while there is no link yet. */
function LinkButtons({ onRemove }: { onRemove: (() => void) | null }) {
  return (
    <>
      <Button type="submit" size="small">
        Set link
      </Button>
      {onRemove && (
        <Button variant="secondary" size="small" onClick={onRemove}>
          Remove link
        </Button>
      )}
    </>
  )
}

const removeLink = (editor: Editor) =>
  editor.chain().focus().extendMarkRange('link').unsetLink().run()

/** Links the selection, or inserts `newText` as a link when nothing is selected. `newText` null: changes the link at the caret. */
function setLink(editor: Editor, href: string, newText: string | null): void {
  const chain = editor.chain().focus().extendMarkRange('link')
  const link = { type: 'link', attrs: { href } }
  if (newText !== null && editor.state.selection.empty)
    chain.insertContent({ type: 'text', text: newText, marks: [link] }).run()
  else chain.setLink({ href }).run()
}

/** Returns the URL of a typed http, https or mailto link, or null. */
export function safeLink(typed: string): string | null {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return null
  if (/^[^@:/]+@[^@:/]+\.[^@:/]+$/.test(text)) return `mailto:${text}`
  const url = URL.parse(
    /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/:]+:\d/.test(text) ? text : `https://${text}`,
  )
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return null
  if (url.protocol !== 'mailto:' && !/^[^.]+(?:\.[^.]+)+\.?$|^localhost$|^\[/.test(url.hostname))
    return null
  return url.href
}

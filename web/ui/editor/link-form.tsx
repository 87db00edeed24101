import type { Editor } from '@tiptap/core'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../form/button.tsx'
import { Input } from '../form/field.tsx'

type LinkFormProps = { editor: Editor; onClose: () => void }

/** Below the toolbar while a link is made or changed; Enter sets it, Escape leaves it as it was. */
export function LinkForm({ editor, onClose }: LinkFormProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const before = String(editor.getAttributes('link').href ?? '')
  const [typed, setTyped] = useState(before)
  const [isWrong, setIsWrong] = useState(false)
  useEffect(() => input.current?.select(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form within a form, as React sees it.
    event.stopPropagation()
    const href = safeLink(typed)
    setIsWrong(href === null)
    if (href === null) return input.current?.focus()
    const chain = editor.chain().focus().extendMarkRange('link')
    if (editor.state.selection.empty && before === '')
      chain
        .insertContent({
          type: 'text',
          text: typed.trim(),
          marks: [{ type: 'link', attrs: { href } }],
        })
        .run()
    else chain.setLink({ href }).run()
    onClose()
  }
  const remove = () => {
    editor.chain().focus().extendMarkRange('link').unsetLink().run()
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
      <Button type="submit" size="small">
        Set link
      </Button>
      {before !== '' && (
        <Button variant="secondary" size="small" onClick={remove}>
          Remove link
        </Button>
      )}
      {isWrong && (
        <p id={`${id}-error`} role="alert" className="basis-full text-bad text-xs">
          Please enter a web address or an email address
        </p>
      )}
    </form>
  )
}

/** Where a link may lead that somebody types: the web, or an address to write to. null: nowhere. */
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

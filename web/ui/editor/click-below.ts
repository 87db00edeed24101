/** A click below the text goes to the end of what the writer wrote, before the ending: a signature that stands below it. */
import { type Node, DOMParser as NodeParser } from '@tiptap/pm/model'
import { TextSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'

/** Position of the end of the text before the ending; null when the document does not end with it. */
export function endOfOwnText(doc: Node, ending: Node): number | null {
  const first = doc.childCount - ending.childCount
  if (first < 1 || ending.childCount === 0) return null
  for (let at = 0; at < ending.childCount; at += 1)
    if (doc.child(first + at).textContent !== ending.child(at).textContent) return null
  // An empty line separates the two.
  const isSeparated = first > 1 && doc.child(first - 1).content.size === 0
  const own = isSeparated ? first - 1 : first
  let end = 0
  for (let at = 0; at < own; at += 1) end += doc.child(at).nodeSize
  return end
}

/** `ending`: HTML. Returns true when it handled the press. */
export function clickBelow(
  view: EditorView,
  event: MouseEvent,
  { ending = '' }: { ending?: string },
): boolean {
  const last = view.dom.lastElementChild
  const isBelow = last !== null && event.clientY > last.getBoundingClientRect().bottom
  if (!isBelow || ending === '' || event.button !== 0 || event.shiftKey) return false
  const { body } = new DOMParser().parseFromString(ending, 'text/html')
  const { doc, schema, tr } = view.state
  const end = endOfOwnText(doc, NodeParser.fromSchema(schema).parse(body))
  if (end === null) return false
  event.preventDefault()
  view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(end), -1)))
  view.focus()
  return true
}

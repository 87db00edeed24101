/** Web and mail addresses in the text of a mail become links, where its writer did not make them. */
import { linkify } from './safe-link.ts'

/** `judge` gives each new link what every link of a mail has. */
export function linkAddresses(
  fragment: DocumentFragment,
  judge: (link: HTMLElement) => void,
): void {
  const { ownerDocument } = fragment
  const walker = ownerDocument.createTreeWalker(fragment, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { data } = node as Text
    const mayHold = /[@:]|www\./i.test(data)
    if (mayHold && !node.parentElement?.closest('a')) found.push(node as Text)
  }
  for (const node of found) {
    const parts = linkify(node.data)
    if (parts.every(({ href }) => href === undefined)) continue
    node.replaceWith(
      ...parts.map(({ text, href }) => {
        if (href === undefined) return text
        const link = ownerDocument.createElement('a')
        link.textContent = text
        link.setAttribute('href', href)
        judge(link)
        return link
      }),
    )
  }
}

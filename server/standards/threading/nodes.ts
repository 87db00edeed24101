/** The places of messages in threads while they are put together. */

/** A message, or the place of one that is not here. */
export type Node = {
  uid: number
  sentAt: number
  subject: string
  isAnswer: boolean
  parent: Node | null
  children: Set<Node>
}

/** Farther up a circle is not looked for, and nothing is joined. */
const MOST_ANCESTORS = 1_000
export const newNode = (): Node => ({
  ...{ uid: 0, sentAt: 0, subject: '', isAnswer: false, parent: null },
  children: new Set(),
})

export const link = (parent: Node, child: Node): void => {
  let above: Node | null = parent
  for (let steps = 0; above !== null; steps++, above = above.parent)
    if (above === child || steps > MOST_ANCESTORS) return
  child.parent = parent
  parent.children.add(child)
}

export const unlink = (node: Node): void => {
  node.parent?.children.delete(node)
  node.parent = null
}

export const adopt = (parent: Node, child: Node): void => {
  unlink(child)
  child.parent = parent
  parent.children.add(child)
}

/** The place of a missing message stands where its first answer does. */
export const firstOf = (node: Node): Node =>
  node.uid !== 0 ? node : ([...node.children].toSorted(byDate)[0] ?? node)

export const byDate = (a: Node, b: Node): number => {
  const [one, other] = [a.uid === 0 ? firstOf(a) : a, b.uid === 0 ? firstOf(b) : b]
  return one.sentAt - other.sentAt || one.uid - other.uid
}

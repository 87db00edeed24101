/** THREAD=REFERENCES (RFC 5256 §3): by what messages say they answer, then by subject. */
import { baseSubjectOf } from './base-subject.ts'
import { joinBySubject } from './join-by-subject.ts'
import { adopt, byDate, link, type Node, newNode, unlink } from './nodes.ts'
import type { MessageToThread, Thread } from './thread.ts'

/** Answers to answers that are deeper stand beside them. */
const MOST_DEPTH = 100

export const referenceThreads = (messages: readonly MessageToThread[]): Thread[] => {
  const nodes = linkedNodes(messages)
  const roots = [...nodes].filter(({ parent }) => parent === null).flatMap(withoutGaps)
  const joined = joinBySubject(roots.toSorted(byDate))
  return joined.toSorted(byDate).map(toThread)
}

const linkedNodes = (messages: readonly MessageToThread[]): Set<Node> => {
  const byId = new Map<string, Node>()
  const nodes = new Set<Node>()
  const nodeOf = (id: string): Node => {
    const known = byId.get(id)
    if (known !== undefined) return known
    const node = newNode()
    byId.set(id, node)
    nodes.add(node)
    return node
  }
  for (const { uid, messageId, ancestors, subject, sentAt } of messages) {
    const known = messageId === '' ? newNode() : nodeOf(messageId)
    // Another message with the same id has a place of its own.
    const node = known.uid === 0 ? known : newNode()
    nodes.add(node)
    const { base, isAnswer } = baseSubjectOf(subject)
    Object.assign(node, { uid, sentAt, subject: base.toUpperCase(), isAnswer })
    let above: Node | null = null
    for (const id of ancestors) {
      const next = nodeOf(id)
      if (above !== null && next.parent === null) link(above, next)
      above = next
    }
    // What was noted by others from a list that was cut gives way to what the message says itself.
    unlink(node)
    if (above !== null) link(above, node)
  }
  return nodes
}

/** Without places of missing messages, unless one at the top joins several. */
const withoutGaps = (root: Node): Node[] => {
  const below = [root]
  for (const node of below) below.push(...node.children)
  for (const node of below.reverse()) {
    if (node.uid !== 0 || node === root) continue
    const { parent } = node
    unlink(node)
    if (parent !== null) for (const child of [...node.children]) adopt(parent, child)
  }
  if (root.uid !== 0 || root.children.size > 1) return [root]
  const [only] = root.children
  if (only === undefined) return []
  unlink(only)
  return [only]
}

const toThread = (root: Node): Thread => {
  const top: Thread = { uid: root.uid, answers: [] }
  const open = [{ node: root, thread: top, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, thread, depth } = next
    for (const child of [...node.children].toSorted(byDate)) {
      const answer: Thread = { uid: child.uid, answers: [] }
      thread.answers.push(answer)
      const isDeep = depth >= MOST_DEPTH
      open.push({
        node: child,
        thread: isDeep ? thread : answer,
        depth: isDeep ? depth : depth + 1,
      })
    }
  }
  return top
}

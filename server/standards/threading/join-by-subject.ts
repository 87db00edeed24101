/** Step 5 of THREAD=REFERENCES: threads with one subject are joined, as far as one of them is an answer (RFC 5256 §3). */
import { adopt, firstOf, type Node, newNode } from './nodes.ts'

/** `roots`: in the order of their dates. */
export const joinBySubject = (roots: readonly Node[]): Node[] => {
  const heads = headsOf(roots)
  const joined = new Set(roots)
  for (const root of roots) {
    const { subject } = firstOf(root)
    const head = heads.get(subject)
    if (subject === '' || head === undefined || head === root) continue
    joined.delete(root)
    if (head.uid === 0 && root.uid === 0) for (const child of [...root.children]) adopt(head, child)
    else if (head.uid === 0 || (root.isAnswer && !head.isAnswer)) adopt(head, root)
    else {
      const both = newNode()
      adopt(both, head)
      adopt(both, root)
      joined.delete(head)
      joined.add(both)
      heads.set(subject, both)
    }
  }
  return [...joined]
}

/** Which thread of a subject takes in the others: the place of a missing message, else one that is no answer, else the oldest. */
const headsOf = (roots: readonly Node[]): Map<string, Node> => {
  const heads = new Map<string, Node>()
  for (const root of roots) {
    const { subject, isAnswer } = firstOf(root)
    if (subject === '') continue
    const known = heads.get(subject)
    const isBetter =
      known === undefined ||
      (root.uid === 0 && known.uid !== 0) ||
      (known.uid !== 0 && firstOf(known).isAnswer && !isAnswer)
    if (isBetter) heads.set(subject, root)
  }
  return heads
}

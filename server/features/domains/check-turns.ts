/**
 * How many checks ask DNS at once. Each has about a hundred sockets open, and for seconds when its zone names servers that
 * stay silent: without turns, whoever presses Verify for 300 such domains takes them from mail and from everybody else.
 */
import { openTurns, openTurnsOfEach } from '#server/lib/turns/turns.ts'

/** More than `recheck-due-domains` makes at once, so that whoever presses Verify need not wait for it. */
export const AT_ONCE_OF_A_WORKSPACE = 30
const AT_ONCE = 60

const inAll = openTurns(AT_ONCE)
const ofEach = openTurnsOfEach(AT_ONCE_OF_A_WORKSPACE)

/** null when no turn comes by then: the work is never begun. Begun, it takes the time that it takes. */
export const inTurn = <T>(
  workspaceId: string,
  giveUpAtMs: number,
  work: () => Promise<T>,
): Promise<T | null> =>
  new Promise((resolve, reject) => {
    let isTooLate = false
    const giveUp = () => {
      isTooLate = true
      resolve(null)
    }
    const timer = setTimeout(giveUp, Math.max(0, giveUpAtMs - Date.now()))
    const begin = async () => {
      clearTimeout(timer)
      if (!isTooLate) resolve(await work())
    }
    ofEach.take(workspaceId, () => inAll.take(begin)).catch(reject)
  })

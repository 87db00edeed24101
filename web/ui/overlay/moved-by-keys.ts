/** Whether the focus moves by a key just now: a tooltip says something new then, and not when a script returns the focus. */
const MOVING = /^(?:Tab|Home|End|Arrow(?:Up|Down|Left|Right))$/

let isMoving = false

export const isMovedByKeys = (): boolean => isMoving

/** Returns what ends it. */
export function watchKeys(): () => void {
  const stop = new AbortController()
  const options = { capture: true, signal: stop.signal }
  addEventListener(
    'keydown',
    ({ key }) => {
      isMoving = MOVING.test(key)
    },
    options,
  )
  for (const type of ['keyup', 'pointerdown'] as const)
    addEventListener(
      type,
      () => {
        isMoving = false
      },
      options,
    )
  return () => stop.abort()
}

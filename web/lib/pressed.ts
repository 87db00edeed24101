/** Keeps the page still under a pressed pointer: a button that moves between press and release gets no click. */

/** A longer press is no click, but a drag or a selection of text. */
const LONGEST_MS = 500

let isPressed = false
let waiting: (() => void)[] = []

/** At once, or when the pointer is released. */
export function whenReleased(then: () => void): void {
  if (isPressed) waiting.push(then)
  else then()
}

export function watchPresses(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const release = () => {
    clearTimeout(timer)
    isPressed = false
    const ready = waiting
    waiting = []
    for (const then of ready) then()
  }
  const releaseIn = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(release, ms)
  }
  addEventListener(
    'pointerdown',
    () => {
      isPressed = true
      releaseIn(LONGEST_MS)
    },
    true,
  )
  // The click follows in the same task, and its handlers come first.
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => releaseIn(0), true)
  addEventListener('click', release)
}

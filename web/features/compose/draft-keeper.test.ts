import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDraftKeeper, type SaveOutcome, type SaveState } from './draft-keeper.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // The longest of the shifted waits.
  vi.spyOn(Math, 'random').mockReturnValue(1)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const aKeeper = () => {
  const answers: ((outcome: SaveOutcome) => void)[] = []
  const states: SaveState[] = []
  const save = vi.fn(() => new Promise<SaveOutcome>((resolve) => void answers.push(resolve)))
  const keeper = createDraftKeeper(save, (state) => states.push(state))
  const answer = async (outcome: SaveOutcome) => {
    answers.shift()?.(outcome)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { keeper, save, states, answer }
}

test('it saves a moment after the last word, and somebody who never pauses every ten seconds', async () => {
  const { keeper, save, answer, states } = aKeeper()
  keeper.changed()
  await vi.advanceTimersByTimeAsync(1_400)
  keeper.changed()
  await vi.advanceTimersByTimeAsync(1_400)
  expect(save).toHaveBeenCalledTimes(0)
  await vi.advanceTimersByTimeAsync(100)
  expect(save).toHaveBeenCalledTimes(1)
  await answer('saved')
  expect(states.at(-1)).toBe('saved')
  for (let at = 0; at < 10_000; at += 1_000) {
    keeper.changed()
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(save).toHaveBeenCalledTimes(2)
})

test('what is written while it saves is saved after it, never at the same time', async () => {
  const { keeper, save, answer, states } = aKeeper()
  keeper.changed()
  await vi.advanceTimersByTimeAsync(1_500)
  keeper.changed()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(save).toHaveBeenCalledTimes(1)
  await answer('saved')
  expect(states.at(-1)).toBe('unsaved')
  await vi.advanceTimersByTimeAsync(1_500)
  expect(save).toHaveBeenCalledTimes(2)
})

test('without a connection it tries again by itself, ever more rarely, and at once when it may be back', async () => {
  const { keeper, save, answer, states } = aKeeper()
  keeper.changed()
  await vi.advanceTimersByTimeAsync(1_500)
  await answer({ afterSeconds: 0 })
  expect(states.at(-1)).toBe('waiting')
  keeper.changed()
  await vi.advanceTimersByTimeAsync(1_999)
  expect(save).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(save).toHaveBeenCalledTimes(2)
  await answer({ afterSeconds: 0 })
  keeper.retry()
  expect(save).toHaveBeenCalledTimes(3)
  await answer('saved')
  expect(states.at(-1)).toBe('saved')
})

test('a wait that the server asks for is kept, even a daft one for no longer than ten minutes', async () => {
  const { keeper, save, answer } = aKeeper()
  keeper.changed()
  await vi.advanceTimersByTimeAsync(1_500)
  await answer({ afterSeconds: 40 })
  await vi.advanceTimersByTimeAsync(39_999)
  expect(save).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(save).toHaveBeenCalledTimes(2)
  await answer({ afterSeconds: 9_999_999 })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(save).toHaveBeenCalledTimes(3)
})

test('whoever has left saves no more, even when something else goes on', async () => {
  const { keeper, save } = aKeeper()
  keeper.changed()
  await keeper.end()
  keeper.changed()
  keeper.resume()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(save).toHaveBeenCalledTimes(0)
})

test('a refusal is not tried again until something changes; flush waits for how it ends', async () => {
  const { keeper, save, answer } = aKeeper()
  keeper.changed()
  const flushed = keeper.flush()
  await vi.advanceTimersByTimeAsync(0)
  await answer('refused')
  expect(await flushed).toBe('refused')
  await vi.advanceTimersByTimeAsync(100_000)
  expect(save).toHaveBeenCalledTimes(1)
  keeper.changed()
  await vi.advanceTimersByTimeAsync(1_500)
  expect(save).toHaveBeenCalledTimes(2)
})

test('flush saves what is written while it saves, too', async () => {
  const { keeper, save, answer } = aKeeper()
  keeper.changed()
  const flushed = keeper.flush()
  await vi.advanceTimersByTimeAsync(0)
  keeper.changed()
  await answer('saved')
  expect(save).toHaveBeenCalledTimes(2)
  await answer('saved')
  expect(await flushed).toBe('saved')
})

test('stopped it saves no more, and says when none is under way', async () => {
  const { keeper, save, answer } = aKeeper()
  keeper.changed()
  await vi.advanceTimersByTimeAsync(1_500)
  keeper.changed()
  let isStill = false
  void keeper.stop().then(() => {
    isStill = true
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(isStill).toBe(false)
  await answer('saved')
  expect(isStill).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(save).toHaveBeenCalledTimes(1)
  keeper.resume()
  await vi.advanceTimersByTimeAsync(1_500)
  expect(save).toHaveBeenCalledTimes(2)
})

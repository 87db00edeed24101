import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { invalidateWithPending } from './query-client.ts'

const aQuery = () => {
  const client = new QueryClient()
  const answers: ((answer: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve))
  const observer = new QueryObserver(client, { queryKey: ['/mails'], queryFn })
  const stop = observer.subscribe(() => {})
  const shown = () => observer.getCurrentResult().data
  return { client, answers, shown, stop }
}

test('a first answer that was on its way when something changed is asked for once more', async () => {
  const { client, answers, shown, stop } = aQuery()
  const asked = invalidateWithPending(client, { queryKey: ['/mails'] })
  expect(answers).toHaveLength(1)
  answers[0]?.('before')
  await expect.poll(() => answers.length).toBe(2)
  expect(shown()).toBe('before')
  answers[1]?.('after')
  await asked
  expect(shown()).toBe('after')
  stop()
})

test('what is there is asked for at once, and one time', async () => {
  const { client, answers, shown, stop } = aQuery()
  answers[0]?.('before')
  await expect.poll(shown).toBe('before')
  const asked = invalidateWithPending(client, { queryKey: ['/mails'] })
  answers[1]?.('after')
  await asked
  expect([answers.length, shown()]).toEqual([2, 'after'])
  stop()
})

test('an answer that was read ahead for nobody yet is old when it comes', async () => {
  const client = new QueryClient()
  let answer: (text: string) => void = () => {}
  const reading = client.prefetchQuery({
    queryKey: ['/mail'],
    queryFn: () =>
      new Promise<string>((resolve) => {
        answer = resolve
      }),
  })
  const asked = invalidateWithPending(client)
  answer('before')
  await Promise.all([reading, asked])
  expect(client.getQueryState(['/mail'])).toMatchObject({ data: 'before', isInvalidated: true })
})

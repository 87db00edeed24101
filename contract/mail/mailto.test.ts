import { expect, test } from 'vitest'
import { parseMailto } from './mailto.ts'

test('whom to write to, and how it begins', () => {
  expect(
    parseMailto(
      'mailto:ada@example.com,grace%40example.com?subject=A%20plan&cc=eve@example.com&body=One%0D%0ATwo',
    ),
  ).toEqual({
    to: ['ada@example.com', 'grace@example.com'],
    cc: ['eve@example.com'],
    subject: 'A plan',
    text: 'One\nTwo',
  })
  expect(parseMailto('mailto:?to=ada+list@example.com&SUBJECT=1+1').to).toEqual([
    'ada+list@example.com',
  ])
  expect(parseMailto('mailto:?subject=1+1').subject).toBe('1+1')
})

test('nobody is written to unseen, and no header comes along', () => {
  const letter = parseMailto(
    'mailto:ada@example.com?bcc=eve@evil.example&attach=/etc/passwd&subject=a%0d%0aBcc:%20eve@evil.example&x=%zz',
  )
  expect(letter).toEqual({
    to: ['ada@example.com'],
    cc: [],
    subject: 'a Bcc: eve@evil.example',
    text: '',
  })
  const { to } = parseMailto(`mailto:a@b.example?to=${'a@b.example,'.repeat(500)}`)
  expect(to).toHaveLength(50)
})

import { expect, test } from 'vitest'
import { verificationMail } from './mail-templates.ts'

test.each(['WIN http://evil.example', 'evil.example', 'ada@evil.example'])(
  'nobody is greeted as %s, which mail programs make a link of',
  (name) => {
    const { text, html } = verificationMail(name, 'https://mail.example.net/verify-email')
    expect(text.startsWith('Hello,\n')).toBe(true)
    expect(html).not.toContain('evil')
  },
)

test('people are greeted by their names', () => {
  expect(verificationMail('Żółć-Anna', 'https://mail.example.net/').text).toMatch(
    /^Hello Żółć-Anna,/,
  )
})

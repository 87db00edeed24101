import { expect, test } from 'vitest'
import { newEmailMail, verificationMail } from './account-mails.ts'

const LINK = 'https://mail.example.net/verify-email'
/** Mails that a caller can cause to be sent to another person's address. */
const mails = [verificationMail, newEmailMail]

test.each(['WIN http://evil.example', 'evil.example', 'ada@evil.example'])(
  'nobody is greeted as %s, which mail programs make a link of',
  (name) => {
    for (const { text, html } of mails.map((mail) => mail(name, LINK))) {
      expect(text.startsWith('Hello,\n')).toBe(true)
      expect(html).not.toContain('evil')
    }
  },
)

test('people are greeted by their names', () => {
  for (const mail of mails) expect(mail('Żółć-Anna', LINK).text).toMatch(/^Hello Żółć-Anna,/)
})

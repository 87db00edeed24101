/** An enhanced status code (RFC 3463) as a sentence for whoever wrote the mail. */

const reasons: readonly [status: RegExp, words: string][] = [
  [/^5\.1\.(0|1|3|6)$/, 'There is no such mailbox there. Please look at the address again.'],
  [/^5\.1\.2$/, 'There is no such domain. Please look at the part of the address after the @.'],
  [/^5\.1\.10$/, 'That domain takes no mail at all.'],
  [/^5\.2\.1$/, 'That mailbox takes no mail at the moment.'],
  [/^5\.2\.2$/, 'That mailbox is full.'],
  [/^5\.(2\.3|3\.4)$/, 'The message is larger than the other side takes.'],
  [/^5\.4\.4$/, 'The mail server of that domain has no address that mail can be sent to.'],
  [/^5\.4\.6$/, 'The other side sends mail for that address round in a circle.'],
  [
    /^5\.6\.7$/,
    'That mail server takes no addresses with letters beyond ASCII, and one is among yours.',
  ],
  [/^5\.7\./, 'The other side refused it by a rule of its own, often against unwanted mail.'],
]

export const bounceReason = (status: string, isExpired: boolean): string => {
  if (isExpired) return 'It was tried again and again for five days, and could not be delivered.'
  const found = reasons.find(([pattern]) => pattern.test(status))
  return found?.[1] ?? 'The other side refused it for good.'
}

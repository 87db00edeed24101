/** A reply that refuses. smtp-server writes `responseCode` in front of the text and adds no code of its own to one it does not know. */
export class SmtpRefusal extends Error {
  /** Reply code and RFC 3463 code, such as '550 5.1.1'. */
  readonly responseCode: string

  constructor(code: string, text: string) {
    super(text)
    this.name = 'SmtpRefusal'
    this.responseCode = code
  }
}

/** For whatever goes wrong on our side: the sender keeps the message and tries again. */
export const tryLater = (): SmtpRefusal =>
  new SmtpRefusal('451 4.3.0', 'Temporary trouble here, please try again later')

/** Of what strangers wrote: replies are one line of ASCII, and short. */
export const printable = (text: string, most = 100): string =>
  text.replace(/[^\x20-\x7e]+/g, '?').slice(0, most)

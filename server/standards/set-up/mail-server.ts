/** What a mail program must know to read and send the mail of an address: all that the files of this folder are written from. */

export type MailServer = {
  /** The provider's name, as programs show it. */
  name: string
  host: string
  /** TLS from the first byte (RFC 8314 §3), which programs should prefer. */
  imapsPort: number
  submissionsPort: number
  /** With STARTTLS. */
  imapPort: number
  submissionPort: number
  webMailUrl: string
  /** A page that says how to set a program up. */
  helpUrl: string
}

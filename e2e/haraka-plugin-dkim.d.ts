/** haraka-plugin-dkim ships no types; this is the part that the tests use. */
declare module 'haraka-plugin-dkim/lib/dkim.js' {
  export type Verified = { domain: string; selector: string; result: string; error?: string }

  export class DKIMObject {
    debug(text: string): void
  }

  export class DKIMVerifyStream {
    constructor(
      options: object,
      done: (error: Error | null, result: string, results: Verified[]) => void,
    )
    debug(text: string): void
    end(raw: Buffer): void
  }
}

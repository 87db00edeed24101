/** A file of the web app, of a release that was in use lately; its name changes with its content. */
export type WebFilesTable = {
  /** '/assets/base-nxzo8xmG.js' */
  path: string
  body: Buffer
  /** Compressed; null: it is too small for that. */
  br: Buffer | null
  /** Under SECRET: what the program did not write is not sent (decision 138). */
  mac: Buffer
  /** When a process last said that it has it. */
  servedAt: Date
}

/** Something that only the person who starts the program can mend. Shown as one sentence, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error)

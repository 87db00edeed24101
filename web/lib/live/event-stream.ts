/** Server-sent events read from a fetch body: only the Authorization header authenticates, and EventSource has none. */

/** Takes text as it arrives and answers the data of every event that is complete. */
export function createEventReader(): (chunk: string) => string[] {
  let rest = ''
  return (chunk) => {
    const blocks = (rest + chunk).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    return blocks.map(dataOf).filter((data) => data !== '')
  }
}

const dataOf = (block: string): string =>
  block
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n')

/** Calls `onData` for each event until the stream ends or nothing, not even a heartbeat, came for `silenceMs`. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onData: (data: string) => void,
  silenceMs: number,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const take = createEventReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    while (true) {
      timer = setTimeout(() => void reader.cancel().catch(() => undefined), silenceMs)
      const { done, value } = await reader.read()
      clearTimeout(timer)
      if (done) return
      for (const data of take(decoder.decode(value, { stream: true }))) onData(data)
    }
  } finally {
    clearTimeout(timer)
  }
}

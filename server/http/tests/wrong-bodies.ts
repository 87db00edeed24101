/** Ways to spoil a good body. */

type Place = { path: string; value: unknown; with: (value: unknown) => unknown; without: unknown }

/** Every value in a body, with ways to change it. */
export const placesIn = (body: unknown, prefix: string[] = []): Place[] => {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) => {
    const copy = (change: (target: Record<string, unknown>) => void) => {
      const target = (Array.isArray(body) ? [...body] : { ...body }) as Record<string, unknown>
      change(target)
      return target
    }
    const replace = (inner: unknown) => copy((target) => Object.assign(target, { [key]: inner }))
    const path = [...prefix, key]
    return [
      {
        path: path.join('.'),
        value,
        with: replace,
        without: copy((target) => delete target[key]),
      },
      ...placesIn(value, path).map((place) => ({
        ...place,
        with: (inner: unknown) => replace(place.with(inner)),
        without: replace(place.without),
      })),
    ]
  })
}

export const wrongFor = (value: unknown): unknown[] => {
  const all: unknown[] = [null, 7, 'x'.repeat(5_000), true, [], {}, [[]], { a: 1 }]
  const isList = Array.isArray(value)
  return all.filter((other) =>
    isList
      ? !Array.isArray(other) || other.length > 0
      : typeof other !== typeof value || other === null,
  )
}

/** Sent in chunks, without Content-Length. */
export const endless = (bytes: number): ReadableStream<Uint8Array> => {
  let left = bytes
  return new ReadableStream({
    pull: (controller) => {
      const chunk = new Uint8Array(Math.min(65_536, left)).fill(120)
      left -= chunk.length
      if (chunk.length > 0) controller.enqueue(chunk)
      if (left <= 0) controller.close()
    },
  })
}

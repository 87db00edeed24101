/** A cache in memory. The oldest entries above `most` are removed, and each entry `keepMs` after it was set. */
export type Cache<Value> = {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
}

export const openCache = <Value>({
  most,
  keepMs = Number.POSITIVE_INFINITY,
}: {
  most: number
  keepMs?: number
}): Cache<Value> => {
  /** In the order of their last `set`. */
  const entries = new Map<string, { value: Value; until: number }>()
  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry !== undefined && entry.until > performance.now() ? entry.value : undefined
    },
    set: (key, value) => {
      const now = performance.now()
      entries.delete(key)
      entries.set(key, { value, until: now + keepMs })
      for (const [oldest, { until }] of entries) {
        if (entries.size <= most && until > now) return
        entries.delete(oldest)
      }
    },
    delete: (key) => {
      entries.delete(key)
    },
  }
}

/** Returns the cached promise, or caches that of `find`. A promise that fails is removed. */
export const remembered = <T>(
  cache: Cache<Promise<T>>,
  key: string,
  find: () => Promise<T>,
): Promise<T> => {
  const known = cache.get(key)
  if (known !== undefined) return known
  const found = find()
  cache.set(key, found)
  found.catch(() => cache.delete(key))
  return found
}

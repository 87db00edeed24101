import { useState } from 'react'
import type { ApiKey } from '#contract/developers/api-keys.ts'

/** Whether the last day of the key had passed when it was first shown. */
export function useIsOver({ expiresAt }: Pick<ApiKey, 'expiresAt'>): boolean {
  const [isOver] = useState(() => expiresAt !== null && new Date(expiresAt).getTime() <= Date.now())
  return isOver
}

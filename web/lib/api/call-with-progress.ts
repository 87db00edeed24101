/** Like `call`, but reports the progress of the upload, which fetch does not. */
import {
  API_PREFIX,
  type Arguments,
  type Output,
  type Route,
  WORKSPACE_HEADER,
} from '#contract/route.ts'
import { browserTokens, chosenWorkspace } from './access-token.ts'
import { refresh } from './api.ts'
import { ApiError, noAnswer } from './api-error.ts'
import { addressOf } from './client.ts'

type Options = {
  signal: AbortSignal
  /** `part`: from 0 to 1. */
  onProgress: (part: number) => void
}

export async function callWithProgress<R extends Route>(
  route: R,
  args: Arguments<R>,
  options: Options,
): Promise<Output<R>> {
  if (browserTokens.read() === null) await refresh()
  try {
    return (await attempt(route, args, options)) as Output<R>
  } catch (error) {
    if (!(error instanceof ApiError) || error.tokenType !== 'ACCESS') throw error
    await refresh()
    return (await attempt(route, args, options)) as Output<R>
  }
}

const attempt = (route: Route, args: unknown, { signal, onProgress }: Options): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const given = args as { params?: Record<string, unknown>; body?: unknown }
    request.open(route.method, API_PREFIX + addressOf(route, given))
    request.setRequestHeader('content-type', 'application/json')
    request.setRequestHeader('authorization', `Bearer ${browserTokens.read() ?? ''}`)
    const workspace = chosenWorkspace.read()
    if (workspace) request.setRequestHeader(WORKSPACE_HEADER, workspace)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const { status, response } = request
      if (status >= 200 && status < 300 && response !== null) resolve(response)
      else if (typeof response?.message !== 'string') reject(noAnswer())
      else reject(new ApiError(response, request.getResponseHeader('retry-after')))
    }
    request.onerror = () => reject(noAnswer())
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort())
    if (signal.aborted) return reject(signal.reason)
    request.send(JSON.stringify(given.body))
  })

import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { finishGoogle, type SignedIn } from '#contract/auth.ts'
import { sentenceOf } from '#contract/errors.ts'
import type { Installation } from '#contract/installation.ts'
import { open } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { signIn } from '#web/lib/api/session.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths, returnPath } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FieldError } from '#web/ui/form/field.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'
import { AuthHeading } from './auth-parts.tsx'
import { askedFactorIn } from './factors/asked-factor.ts'
import { readInstallation } from './use-installation.ts'

class RefusedReturn extends Error {
  readonly title: string
  constructor(title: string, message: string) {
    super(message)
    this.title = title
  }
}

/** Never shows error_description: anyone can write a link that contains one. */
const reasonFor = (error: string): string =>
  error === 'access_denied' ? 'Google sign-in was cancelled' : sentenceOf('OAUTH_FAILED')

/** A wrong query is not the user's fault, so its validation messages are replaced. */
const messageFor = (error: unknown): string => {
  if (error instanceof RefusedReturn) return error.message
  const isAboutQuery = error instanceof ApiError && error.type === 'VALIDATION'
  return isAboutQuery ? sentenceOf('OAUTH_FAILED') : messageOf(error)
}

async function finish(raw: string): Promise<SignedIn> {
  const query = new URLSearchParams(raw)
  const said = query.get('error')
  if (said) throw new RefusedReturn('Authentication Error', reasonFor(said))
  if (!isComplete(query, await readInstallation()))
    throw new RefusedReturn('Invalid Params', 'Not all the required params were provided')
  // Sent unchanged: the provider may have signed it, and may send parameters that we do not know.
  const answer = await open(finishGoogle.path + raw, { isForAnyone: true })
  return answer.json()
}

const KEY = 'mailstead-return'

/**
 * The page to return to after the provider redirects back.
 * History state does not survive leaving the site; the session storage of the tab does.
 */
export const rememberReturn = (path: string): void => sessionStorage.setItem(KEY, path)

export function takeReturn(): string | null {
  const path = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return path
}

/** Google itself sends more parameters than the standard requires, and all of them must be there. */
export function isComplete(
  query: URLSearchParams,
  installation: Pick<Installation, 'googleIsGoogle'>,
): boolean {
  const needed = installation.googleIsGoogle
    ? ['code', 'scope', 'authuser', 'prompt']
    : ['code', 'state']
  return needed.every((name) => query.get(name))
}

// The code works once. Development renders twice, and both renders must share one answer.
const finished = new Map<string, Promise<SignedIn>>()

/** The page that the provider redirects back to. */
export function GoogleReturnPage() {
  usePageTitle('Google login')
  const navigate = useNavigate()
  const [raw] = useState(() => location.search)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    let isHere = true
    // Removes the code from the URL at once: while it is valid, it is worth as much as a password.
    history.replaceState(history.state, '', location.pathname)
    const answer = finished.get(raw) ?? finish(raw)
    finished.set(raw, answer)
    answer.then(
      (session) => {
        if (!isHere) return
        signIn(session)
        toast({ title: 'Logged in successfully', variant: 'success' })
        void navigate(returnPath(takeReturn()), { replace: true })
      },
      (error: unknown) => {
        if (!isHere) return
        const asked = askedFactorIn(error)
        if (asked) {
          const state = { asked, from: takeReturn() }
          void navigate(paths.login(), { replace: true, state })
          return
        }
        const description = messageFor(error)
        const title = error instanceof RefusedReturn ? error.title : 'Authentication Error'
        toast({ title, description, variant: 'error' })
        setFailure(description)
      },
    )
    return () => {
      isHere = false
    }
  }, [raw, navigate])
  if (failure === null)
    return (
      <div role="status" className="flex items-center justify-center gap-3 text-sm text-soft">
        <Spinner className="size-5" />
        <h1 tabIndex={-1}>Signing you in...</h1>
      </div>
    )
  return (
    <>
      <AuthHeading title="Sign-in did not complete" />
      <FieldError message={failure} />
      <Button asChild size="large" className="mt-6 w-full">
        <Link to={paths.login()}>Back to login</Link>
      </Button>
    </>
  )
}

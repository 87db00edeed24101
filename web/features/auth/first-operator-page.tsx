/** The page behind the link of the terminal: the account of somebody who operates this installation. */
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { makeFirstOperator, openFirstLink } from '#contract/operator/operators.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { signIn } from '#web/lib/api/session.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { AuthHeading } from './auth-parts.tsx'
import { SignUpForm, type SignUpValues } from './sign-up-form.tsx'
import { useLinkToken } from './use-link-token.ts'

export function FirstOperatorPage() {
  usePageTitle('Operator account')
  const token = useLinkToken()
  const navigate = useNavigate()
  const isEnded = useEndedLink(token)
  const send = async ({ termsAccepted: _, ...form }: SignUpValues) => {
    const answer = await call(makeFirstOperator, { body: { ...form, session: token } })
    signIn(answer)
    await navigate(paths.operator({ tab: 'settings', step: 'first' }), { replace: true })
  }
  return (
    <>
      <AuthHeading title="Make your account">
        You operate this installation: you see its workspaces and its queue, and help its people.
        You also get a workspace of your own.
      </AuthHeading>
      <div className="grid gap-5">
        {isEnded && (
          <FormAlert>
            This link was used, or is older than a week. At the terminal, npm run operator --
            operator link makes another.
          </FormAlert>
        )}
        <SignUpForm send={send} isOperators />
      </div>
    </>
  )
}

/** Says so before anything is typed. When it cannot be asked, submitting says it. */
function useEndedLink(token: string): boolean {
  const [isEnded, setIsEnded] = useState(token === '')
  useEffect(() => {
    if (token === '') return
    call(openFirstLink, { body: { session: token } }).catch((error: unknown) => {
      if (error instanceof ApiError && error.statusCode < 500) setIsEnded(true)
    })
  }, [token])
  return isEnded
}

import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import type { useDomainChoices } from './use-domain-choices.ts'

const linkStyle = 'text-accent-ink underline underline-offset-2'

/** Why there is no domain to choose, and the way on; nothing when there is one. */
export function noDomainHint({
  choices,
  isPending,
  isFailed,
  retry,
}: ReturnType<typeof useDomainChoices>) {
  if (isFailed)
    return (
      <>
        The domains could not be loaded.{' '}
        <button type="button" className={linkStyle} onClick={() => void retry()}>
          Try again
        </button>
      </>
    )
  if (isPending || choices.length > 0) return null
  return (
    <>
      No domain is active yet.{' '}
      <Link to={paths.addDomain()} className={linkStyle}>
        Add and verify one
      </Link>{' '}
      first.
    </>
  )
}

import { Button } from './button.tsx'

type DidYouMeanProps = { meant: string; isDisabled?: boolean; onTake: () => void }

/** Offers what was probably meant; a click takes it. */
export function DidYouMean({ meant, isDisabled = false, onTake }: DidYouMeanProps) {
  return (
    <>
      Did you mean{' '}
      <Button variant="link" size="inline" disabled={isDisabled} onClick={onTake}>
        {meant}
      </Button>
      ?
    </>
  )
}

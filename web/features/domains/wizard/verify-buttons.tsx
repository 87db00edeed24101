import { useLayoutEffect, useRef } from 'react'
import { Button } from '#web/ui/form/button.tsx'

type VerifyButtonsProps = {
  isVerified: boolean
  /** The records are known. */
  isReady: boolean
  isChecking: boolean
  onVerify: () => void
  onContinue: () => void
}

export function VerifyButtons(props: VerifyButtonsProps) {
  const { isVerified, isReady, isChecking, onVerify, onContinue } = props
  const goOn = useFocusOnceTrue(isVerified, isReady)
  return (
    <>
      <Button
        variant={isVerified ? 'secondary' : 'primary'}
        disabled={!isReady || isVerified}
        isPending={isChecking && !isVerified}
        onClick={onVerify}
      >
        {isChecking && !isVerified ? 'Verifying...' : 'Verify'}
      </Button>
      <Button
        ref={goOn}
        variant={isVerified ? 'primary' : 'secondary'}
        disabled={!isVerified}
        onClick={onContinue}
      >
        Continue
      </Button>
    </>
  )
}

/**
 * The records became right while somebody looks: what comes next gets the focus, and the page stays where it is. Not from
 * somebody who types, nor from a dialog. Before the browser has painted, a Verify that is done with still has it.
 */
function useFocusOnceTrue(isTrue: boolean, isKnown: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasFalse = useRef(false)
  useLayoutEffect(() => {
    const isBusy = document.activeElement?.closest('input, textarea, [role$=dialog], [role=menu]')
    if (isTrue && wasFalse.current && !isBusy) button.current?.focus({ preventScroll: true })
    wasFalse.current = isKnown && !isTrue
  }, [isTrue, isKnown])
  return button
}

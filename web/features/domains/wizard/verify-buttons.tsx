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
  const verify = useRef<HTMLButtonElement>(null)
  const goOn = useRef<HTMLButtonElement>(null)
  // Verify is done with and takes no focus any more: what comes next gets it. Before the browser has painted, it is still there.
  useLayoutEffect(() => {
    if (isVerified && document.activeElement === verify.current) goOn.current?.focus()
  }, [isVerified])
  return (
    <>
      <Button
        ref={verify}
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

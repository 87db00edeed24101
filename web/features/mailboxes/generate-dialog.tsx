/** Makes mailboxes in bulk: which domains and how many, whose names, and one signature for all. */
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useKeptState, useKeptValues } from '#web/lib/kept-values.ts'
import { Stepper } from '#web/ui/data/stepper.tsx'
import { createLocalImages } from '#web/ui/editor/local-images.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { DomainsStep } from './domains-step.tsx'
import {
  emptyValues,
  fieldsOfStep,
  type GenerateForm,
  generateResolver,
  STEPS,
  useGenerate,
} from './generate-values.ts'
import { NamesStep } from './names-step.tsx'
import { SignatureStep } from './signature-step.tsx'

const LAST = STEPS.length - 1

/** The second click of a double click would press what has come in the button's place. */
const once = (press: () => void) => (click: { detail: number }) => {
  if (click.detail < 2) press()
}

type GenerateDialogProps = { hasBilling: boolean; onClose: () => void }

export function GenerateDialog({ hasBilling, onClose }: GenerateDialogProps) {
  const form: GenerateForm = useForm({
    resolver: generateResolver,
    defaultValues: emptyValues,
    mode: 'onChange',
  })
  const [step, setStep] = useKeptState('generate, step', 0)
  const panel = usePanelFocus(step)
  const [images] = useState(createLocalImages)
  useEffect(() => images.release, [images])
  useKeptValues('generate', form)
  const { isDirty, isValid } = form.formState
  const unsaved = useUnsavedChanges(isDirty, onClose)
  const generation = useGenerate({
    form,
    images,
    hasBilling,
    onStep: setStep,
    onDone: unsaved.leave,
  })
  const total = form.watch('domains').length * (form.watch('count') ?? 0)

  /** Back is always allowed; forward when every step on the way is right. */
  const goTo = async (target: number) => {
    for (let passed = step; passed < target; passed += 1) {
      if (await form.trigger(fieldsOfStep[passed], { shouldFocus: true })) continue
      setStep(passed)
      return
    }
    setStep(target)
  }
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && !generation.isPending && unsaved.requestClose()}
        title="Auto generate mailboxes"
        description="The same people in every domain that you choose."
        size="medium"
        footer={
          <>
            <Button
              variant="secondary"
              disabled={generation.isPending}
              onClick={once(() => (step === 0 ? unsaved.requestClose() : setStep(step - 1)))}
            >
              {step === 0 ? 'Cancel' : 'Back'}
            </Button>
            {step < LAST ? (
              <Button onClick={once(() => void goTo(step + 1))}>Next</Button>
            ) : (
              <Button
                disabled={!isValid}
                isPending={generation.isPending}
                onClick={once(generation.submit)}
              >
                {generation.isPending ? `Generating ${total} mailboxes...` : 'Generate'}
              </Button>
            )}
          </>
        }
      >
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
          <Stepper
            aria-label="Steps"
            steps={STEPS}
            current={step}
            onStep={(target) => void goTo(target)}
          />
          {generation.refusal && <FormAlert>{generation.refusal}</FormAlert>}
          <section
            ref={panel}
            tabIndex={-1}
            aria-label={`Step ${step + 1} of ${STEPS.length}`}
            className="min-w-0 outline-none"
          >
            {step === 0 && <DomainsStep form={form} />}
            {step === 1 && <NamesStep form={form} />}
            {step === LAST && <SignatureStep form={form} images={images} />}
          </section>
        </div>
      </Dialog>
      {unsaved.question}
    </>
  )
}

/** Another step is read from its start: its first wrong field has the focus, or the next Tab leads to its first field. */
function usePanelFocus(step: number) {
  const panel = useRef<HTMLElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    const wrong = panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    ;(wrong ?? panel.current)?.focus()
  }, [step])
  return panel
}

/** Creates mailboxes in bulk: their domains and number, their names, and one signature for all. */
import { useEffect, useRef, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { MAX_SIGNATURE_IMAGES_BYTES } from '#contract/fields.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { useKeptState, useKeptValues } from '#web/lib/kept-values.ts'
import { Stepper } from '#web/ui/data/stepper.tsx'
import { EditorField, loadEditor } from '#web/ui/editor/lazy-editor.tsx'
import { createLocalImages, type LocalImages } from '#web/ui/editor/local-images.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { DomainsStep } from './domains-step.tsx'
import { FromList } from './from-list.tsx'
import {
  emptyValues,
  fieldsOfStep,
  type GenerateForm,
  generateResolver,
  STEPS,
  useGenerate,
} from './generate-values.ts'
import { NamesStep } from './names-step.tsx'
import { PriceNote } from './payment/price-note.tsx'

const LAST = STEPS.length - 1

/** Ignores the second click of a double click: it would press the button that appears in the same place. */
const once = (press: () => void) => (click: { detail: number }) => {
  if (click.detail < 2) press()
}

/** `onFromList` opens the import: real names, and different people per domain. */
type GenerateDialogProps = {
  hasBilling: boolean
  onFromList: () => void
  onMade: (mailboxes: readonly Mailbox[]) => void
  onClose: () => void
}

export function GenerateDialog(props: GenerateDialogProps) {
  const { hasBilling, onFromList, onMade, onClose } = props
  const form: GenerateForm = useForm({
    resolver: generateResolver,
    defaultValues: emptyValues,
    mode: 'onChange',
  })
  const [step, setStep] = useKeptState('generate, step', 0)
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
    onDone: (mailboxes) => {
      unsaved.leave()
      onMade(mailboxes)
    },
  })
  const total = form.watch('domains').length * (form.watch('count') ?? 0)
  const goTo = async (target: number) => setStep(await reachableStep(form, step, target))
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && !generation.isPending && unsaved.requestClose()}
        title="Auto generate mailboxes"
        description="The same people in every domain that you choose."
        size="medium"
        footer={
          <StepButtons
            step={step}
            isPending={generation.isPending}
            isValid={isValid}
            total={total}
            onBack={() => (step === 0 ? unsaved.requestClose() : setStep(step - 1))}
            onNext={() => void goTo(step + 1)}
            onSubmit={generation.submit}
          />
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
          <StepPanel step={step} form={form} images={images} />
          {step < LAST && (
            <FromList
              question="Names of your own, or different people per domain?"
              onOpen={onFromList}
            />
          )}
          <PriceNote />
        </div>
      </Dialog>
      {unsaved.question}
    </>
  )
}

function StepPanel({ step, form, images }: SignatureStepProps & { step: number }) {
  const panel = usePanelFocus(step)
  return (
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
  )
}

/** Back is always allowed; forward only up to the first step with an invalid field. */
async function reachableStep(form: GenerateForm, from: number, target: number): Promise<number> {
  for (let passed = from; passed < target; passed += 1)
    if (!(await form.trigger(fieldsOfStep[passed], { shouldFocus: true }))) return passed
  return target
}

type StepButtonsProps = {
  step: number
  isPending: boolean
  isValid: boolean
  /** Number of mailboxes that will be created. */
  total: number
  onBack: () => void
  onNext: () => void
  onSubmit: () => void
}

function StepButtons(props: StepButtonsProps) {
  const { step, isPending, isValid, total, onBack, onNext, onSubmit } = props
  return (
    <>
      <Button variant="secondary" disabled={isPending} onClick={once(onBack)}>
        {step === 0 ? 'Cancel' : 'Back'}
      </Button>
      {step < LAST ? (
        <Button onClick={once(onNext)}>Next</Button>
      ) : (
        <Button disabled={!isValid} isPending={isPending} onClick={once(onSubmit)}>
          {isPending ? `Generating ${total} mailboxes...` : 'Generate'}
        </Button>
      )}
    </>
  )
}

const Editor = lazyPart(async () => (await loadEditor()).RichTextEditor)

type SignatureStepProps = { form: GenerateForm; images: LocalImages }

export function SignatureStep({ form, images }: SignatureStepProps) {
  return (
    <Controller
      name="signature"
      control={form.control}
      render={({ field, fieldState }) => (
        <div className="grid gap-1.5">
          <div className="flex items-baseline justify-between gap-3">
            <p aria-hidden className="font-medium text-sm">
              Signature
            </p>
            <span className="text-soft text-xs">Optional</span>
          </div>
          <EditorField
            part={Editor}
            label="Signature"
            initialHtml={field.value}
            currentHtml={() => form.getValues('signature')}
            onChange={field.onChange}
            images={images}
            maxImageBytes={MAX_SIGNATURE_IMAGES_BYTES}
            of="a signature"
            error={fieldState.error?.message}
          />
        </div>
      )}
    />
  )
}

/** Focuses the first invalid field of the new step, or else the panel, so that Tab leads to its first field. */
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

import type { DomainSteps } from '#contract/first-steps.ts'
import type { TestMail } from '#contract/mail/test-mail.ts'
import { formatMoment } from '#web/lib/format.ts'
import { JourneySteps } from '#web/mail-content/journey-steps.tsx'
import { Badge, Status, type Tone } from '#web/ui/data/badge.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'

type Words = { tone: Tone; title: string; text: string }

const isWorking = (steps: DomainSteps | undefined): steps is DomainSteps =>
  steps !== undefined && steps.cameAt !== null && steps.wentAt !== null

const answered: Record<NonNullable<TestMail['answer']>['kind'], (testMail: TestMail) => Words> = {
  answer: ({ to }) => ({
    tone: 'good',
    title: 'There and back',
    text: `The answer from ${to} came in. Mail of this domain comes and goes.`,
  }),
  automatic: ({ to }) => ({
    tone: 'good',
    title: 'There and back',
    text: `An automatic reply from ${to} came in, so mail of this domain comes and goes. Whether your mail is in the inbox or in the spam folder there, only a person can see: please look once.`,
  }),
  returned: ({ from, to }) => ({
    tone: 'bad',
    title: 'Sent back',
    text: `The server of ${to} took the mail and sent it back later. Its report is in the inbox of ${from} and says why. Try another address.`,
  }),
}

/** How far a test mail is, and what its sender does next. */
export function testMailWords(testMail: TestMail, steps?: DomainSteps): Words {
  const { to, delivery, answer } = testMail
  if (answer) return answered[answer.kind](testMail)
  if (delivery?.status === 'failed')
    return {
      tone: 'bad',
      title: 'Not delivered',
      text: `${delivery.reason ?? ''} What the other server said is below. Correct the address, or try another one.`.trim(),
    }
  if (delivery?.status === 'queued' || delivery?.status === 'sending')
    return delivery.steps.some(({ kind }) => kind === 'deferred')
      ? {
          tone: 'warn',
          title: 'Put off',
          text: 'The other server has not taken it yet. We try again by ourselves; the last lines say why and when.',
        }
      : {
          tone: 'neutral',
          title: 'On its way',
          text: 'This page shows when the other server takes it.',
        }
  if (isWorking(steps))
    return {
      tone: 'good',
      title: 'Mail comes and goes',
      text: `The test mail to ${to} was not answered, but other mail has come in: nothing more is needed.`,
    }
  return {
    tone: 'accent',
    title: 'Waiting for your answer',
    text: `Open the mail at ${to} and answer it. If it is not in the inbox, look in the spam folder. This page shows when the answer comes in.`,
  }
}

type TestMailStateProps = { testMail: TestMail | null; steps: DomainSteps | undefined }

/** The last test mail; without one, that other mail has shown the same. */
export function TestMailState({ testMail, steps }: TestMailStateProps) {
  if (testMail !== null) return <LastTestMail testMail={testMail} steps={steps} />
  if (!isWorking(steps)) return null
  return (
    <div className="grid gap-3">
      <State
        tone="good"
        title="Mail comes and goes"
        text="Other mail has shown it, so a test mail is not needed."
      />
      <div className="grid gap-2.5 rounded-xl bg-sunken px-4 py-3 text-xs">
        <OtherMail steps={steps} />
      </div>
    </div>
  )
}

function LastTestMail({ testMail, steps }: { testMail: TestMail; steps: DomainSteps | undefined }) {
  const { from, to, sentAt, delivery, answer } = testMail
  return (
    <div className="grid gap-3">
      <State {...testMailWords(testMail, steps)} />
      <div className="grid gap-2.5 rounded-xl bg-sunken px-4 py-3 text-xs">
        <p className="wrap-anywhere">
          From {from} to {to}, <LocalTime at={sentAt} format={formatMoment} />
        </p>
        {delivery && delivery.steps.length > 0 && <JourneySteps steps={delivery.steps} />}
        {answer ? (
          <Answer answer={answer} />
        ) : (
          delivery?.status === 'delivered' && isWorking(steps) && <OtherMail steps={steps} />
        )}
      </div>
    </div>
  )
}

function State({ tone, title, text }: Words) {
  return (
    <div role="status" className="grid justify-items-start gap-2">
      <Status tone={tone}>{title}</Status>
      <p className="wrap-anywhere text-pretty text-sm">{text}</p>
    </div>
  )
}

function OtherMail({ steps: { cameAt, wentAt } }: { steps: DomainSteps }) {
  if (cameAt === null || wentAt === null) return null
  return (
    <p>
      The first mail from another server came in <LocalTime at={cameAt} format={formatMoment} />.
      The first that another server took went out <LocalTime at={wentAt} format={formatMoment} />.
    </p>
  )
}

const checks = { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC' } as const

function Answer({ answer }: { answer: NonNullable<TestMail['answer']> }) {
  return (
    <div className="grid gap-1.5">
      <p>
        {answer.kind === 'returned' ? 'The report' : 'The answer'} came in{' '}
        <LocalTime at={answer.at} format={formatMoment} />. Its sender was checked:
      </p>
      <ul aria-label="Checks of the answer" className="flex flex-wrap gap-1.5">
        {Object.entries(checks).map(([key, name]) => {
          const result = answer[key as keyof typeof checks]
          return (
            <li key={key}>
              <Badge tone={result === 'pass' ? 'good' : result === 'fail' ? 'bad' : 'neutral'}>
                {name}: {result}
              </Badge>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

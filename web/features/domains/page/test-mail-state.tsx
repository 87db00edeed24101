import type { TestMail } from '#contract/mail/test-mail.ts'
import { formatMoment } from '#web/lib/format.ts'
import { JourneySteps } from '#web/mail-content/journey-steps.tsx'
import { Badge, Status, type Tone } from '#web/ui/data/badge.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'

type Words = { tone: Tone; title: string; text: string }

/** How far a test mail is, and what its sender does next. */
export function testMailWords({ to, delivery, answer }: TestMail): Words {
  if (answer)
    return {
      tone: 'good',
      title: 'There and back',
      text: `The answer from ${to} came in. Mail of this domain comes and goes.`,
    }
  if (delivery?.status === 'failed')
    return {
      tone: 'bad',
      title: 'Not delivered',
      text: 'The last line says why. Mend it, or try another address.',
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
  return {
    tone: 'accent',
    title: 'Waiting for your answer',
    text: `Open the mail at ${to} and answer it. If it is not in the inbox, look in the spam folder. This page shows when the answer comes in.`,
  }
}

export function TestMailState({ testMail }: { testMail: TestMail }) {
  const { from, to, sentAt, delivery, answer } = testMail
  const { tone, title, text } = testMailWords(testMail)
  return (
    <div className="grid gap-3">
      <div role="status" className="grid justify-items-start gap-2">
        <Status tone={tone}>{title}</Status>
        <p className="wrap-anywhere text-pretty text-sm">{text}</p>
      </div>
      <div className="grid gap-2.5 rounded-xl bg-sunken px-4 py-3 text-xs">
        <p className="wrap-anywhere">
          From {from} to {to}, <LocalTime at={sentAt} format={formatMoment} />
        </p>
        {delivery && delivery.steps.length > 0 && <JourneySteps steps={delivery.steps} />}
        {answer && <Answer answer={answer} />}
      </div>
    </div>
  )
}

const checks = { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC' } as const

function Answer({ answer }: { answer: NonNullable<TestMail['answer']> }) {
  return (
    <div className="grid gap-1.5">
      <p>
        The answer came in <LocalTime at={answer.at} format={formatMoment} />. Its sender was
        checked:
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

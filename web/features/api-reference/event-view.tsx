/** An event that webhooks post: what is in it, and how a program knows that it is from here. */
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { CodeBlock } from './code-block.tsx'
import { Marked } from './marked.tsx'
import type { Operation, Reference } from './openapi-document.ts'
import { AnswerList, OperationHeading, ParameterList, Part } from './operation-parts.tsx'
import { SchemaFields } from './schema-fields.tsx'

type EventViewProps = { event: Operation; schemas: Reference['schemas'] }

export function EventView({ event, schemas }: EventViewProps) {
  const { path: topic, summary, description, parameters, body, answers } = event
  return (
    <article>
      <OperationHeading>{summary}</OperationHeading>
      <p className="mt-2 flex flex-wrap items-baseline gap-2">
        <Badge tone="accent">Event</Badge>
        <code className="wrap-anywhere text-sm">{topic}</code>
      </p>
      <Marked text={description} />
      <p className="mt-2 text-pretty text-sm">
        It is posted to each webhook that wants this topic. An Admin adds webhooks, or a program
        does by{' '}
        <Link className="text-accent-ink underline" to={paths.apiReference('addWebhook')}>
          addWebhook
        </Link>
        .
      </p>
      {body && (
        <Part title="Body">
          <SchemaFields schema={body.schema} schemas={schemas} />
          <CodeBlock label="Example of the body" text={JSON.stringify(body.example, null, 2)} />
        </Part>
      )}
      <ParameterList title="Headers" parameters={parameters} schemas={schemas} />
      <Part title="Check the signature">
        <p className="text-pretty text-sm">
          With the secret that was shown when the webhook was made, and the package
          standardwebhooks:
        </p>
        <CodeBlock label="Check of the signature" text={checkOf(topic)} />
      </Part>
      <AnswerList title="Answer" answers={answers} />
    </article>
  )
}

const checkOf = (topic: string): string => `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

// The body has to be as it came, a text and not an object.
export const take = (body, headers) => {
  // Throws when it is not from here, or older than five minutes.
  const { type, data } = webhook.verify(body, headers)
  if (type === '${topic}') return data
}`

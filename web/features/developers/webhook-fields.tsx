import { Controller, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { WEBHOOK_TOPICS, webhookTopics } from '#contract/developers/webhook-topics.ts'
import type { webhookForm } from '#contract/developers/webhooks.ts'
import { getInstallation } from '#contract/installation.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { FieldError, InputField } from '#web/ui/form/field.tsx'

export type WebhookValues = z.input<typeof webhookForm>

/** The address, and what it is told. */
export function WebhookFields({ form }: { form: UseFormReturn<WebhookValues> }) {
  const { errors } = form.formState
  const isDemo = useApi(getInstallation, {}).data?.sandboxDns === true
  const topicsError = errors.topics?.message
  return (
    <div className="grid gap-5">
      <InputField
        label="Address"
        required
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://example.com/mailstead"
        hint={
          isDemo
            ? 'In this demo http is taken too, and any port: http://localhost:9000/hook'
            : 'Events are posted to it over https, at port 443'
        }
        error={errors.url?.message}
        {...form.register('url')}
      />
      <Controller
        control={form.control}
        name="topics"
        render={({ field }) => (
          <fieldset aria-describedby={topicsError ? 'topics-error' : undefined}>
            <div className="flex items-center justify-between gap-3 pb-2">
              <legend className="float-left font-medium text-sm">What it is told</legend>
              <Button
                variant="link"
                size="inline"
                onClick={() =>
                  field.onChange(
                    field.value.length === WEBHOOK_TOPICS.length ? [] : [...WEBHOOK_TOPICS],
                  )
                }
              >
                {field.value.length === WEBHOOK_TOPICS.length ? 'Choose none' : 'Choose all'}
              </Button>
            </div>
            <ul className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
              {WEBHOOK_TOPICS.map((topic, index) => (
                <li key={topic}>
                  {/* biome-ignore lint/a11y/noLabelWithoutControl: Radix renders the checkbox as a button */}
                  <label className="flex items-start gap-2.5 text-sm">
                    <Checkbox
                      className="mt-0.5"
                      {...(index === 0 && { ref: field.ref })}
                      checked={field.value.includes(topic)}
                      onCheckedChange={(is) =>
                        field.onChange(
                          is === true
                            ? [...field.value, topic]
                            : field.value.filter((each) => each !== topic),
                        )
                      }
                    />
                    <span className="grid min-w-0 gap-0.5">
                      {webhookTopics[topic].title}
                      <span className="text-soft text-xs">{topic}</span>
                    </span>
                  </label>
                </li>
              ))}
            </ul>
            <FieldError id="topics-error" message={topicsError} />
          </fieldset>
        )}
      />
    </div>
  )
}

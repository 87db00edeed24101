/** The test mail of a domain: sent by the product to an address elsewhere, and complete when its answer came (decision 060). */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'
import { deliveryStatus, journeyStep } from './sending.ts'

export const testMail = z.object({
  from: z.string().describe('The mailbox that sent it, and gets the answer.'),
  to: z.string(),
  sentAt: z.iso.datetime(),
  delivery: z
    .object({
      status: deliveryStatus,
      steps: z.array(journeyStep),
      reason: z
        .string()
        .nullable()
        .describe('Why it was not delivered, in plain words; null: it may still be, or was.'),
    })
    .nullable()
    .describe('null: 30 days after it ended.'),
  answer: z
    .object({
      at: z.iso.datetime(),
      kind: z
        .enum(['answer', 'automatic', 'returned'])
        .describe(
          'automatic: a vacation responder wrote it. returned: a server took the mail, and sent it back later.',
        ),
      spf: z.string(),
      dkim: z.string(),
      dmarc: z.string(),
    })
    .nullable()
    .describe(
      'What we found when the answer came: results as in Authentication-Results. null: none came yet.',
    ),
})
export type TestMail = z.infer<typeof testMail>

export const testMailForm = z.strictObject({
  mailboxId: z.string('Please choose a mailbox').min(1, 'Please choose a mailbox').max(100),
  to: fields.emailAddress,
})

export const TEST_MAILS_PER_HOUR = 10
export const NOT_ELSEWHERE =
  'Mail to this address does not leave this server. Please give one of yours at another service'

const domainId = z.object({ id: z.string() })

export const getTestMail = route({
  name: 'getTestMail',
  method: 'GET',
  path: '/domains/{id}/test-mail',
  summary: 'The last test mail of a domain: its journey, and whether it was answered',
  access: 'see-domains',
  reads: ['domains', 'messages'],
  params: domainId,
  output: z.object({ testMail: testMail.nullable() }),
  errors: ['NOT_EXISTS'],
})

export const sendTestMail = route({
  name: 'sendTestMail',
  method: 'POST',
  path: '/domains/{id}/test-mail',
  summary: `Send a test mail from a mailbox of the domain, at most ${TEST_MAILS_PER_HOUR} an hour in a workspace`,
  access: 'manage-domains',
  changes: ['domains', 'messages', 'sending'],
  notAudited: 'It sends a mail',
  asksForRecentSignIn: false,
  params: domainId,
  body: testMailForm,
  output: testMail,
  errors: [
    'NOT_EXISTS',
    'MAILBOX_NOT_ACTIVE',
    'DOMAIN_NOT_ACTIVE',
    'SENDING_STOPPED',
    'MAILBOX_SENDING_STOPPED',
    'SENDING_LIMIT',
  ],
  status: 201,
})

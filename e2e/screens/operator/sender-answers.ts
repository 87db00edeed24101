/** Three senders: one that is complained about, one that bounces stopped, and one that an operator stopped. */
import type { OperatedSender } from '#contract/operator/senders.ts'

const workspaceId = '0190d5a0-0000-7000-8000-000000000000'
const senders: OperatedSender[] = [
  {
    ...{ _id: '0190d5a0-0000-7000-8000-000000000001', workspaceId },
    email: 'newsletter@koeniglich-preussische-porzellan-manufaktur.example',
    workspaceName: 'Königlich-Preußische Porzellan-Manufaktur',
    ...{ sent: 12_400, bounced: 310, complaints: 41 },
    reporters: ['fbl.google.example', 'outlook.example', 'yahoo.example'],
    ...{ stoppedAt: null, stoppedFor: null },
  },
  {
    ...{ _id: '0190d5a0-0000-7000-8000-000000000002', workspaceId },
    ...{ email: 'info@weber-bakery.example', workspaceName: 'Weber', reporters: [] },
    ...{ sent: 62, bounced: 31, complaints: 0 },
    ...{ stoppedAt: '2026-11-20T12:00:00.000Z', stoppedFor: null },
  },
  {
    ...{ _id: '0190d5a0-0000-7000-8000-000000000003', workspaceId },
    ...{ email: 'stolen@weber-bakery.example', workspaceName: 'Weber' },
    ...{ sent: 500, bounced: 2, complaints: 3, reporters: ['provider.example'] },
    stoppedAt: '2026-11-20T12:00:00.000Z',
    stoppedFor: 'A thief knows the password of this mailbox: change it, and tell us',
  },
]

export const busySenders = {
  ...{ items: senders, total: senders.length },
  ...{ nextCursor: null, previousCursor: null },
}

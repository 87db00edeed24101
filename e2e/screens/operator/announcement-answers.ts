/** Two announcements: a long one with a link, and one for Admins. */
import type { Announcement } from '#contract/installation.ts'
import type { MadeAnnouncement } from '#contract/operator/announcements.ts'

export const announced: Announcement[] = [
  {
    _id: '0190d5a0-0000-7000-8000-000000000001',
    text: 'We move to a new machine on Sunday between 2:00 and 4:00 in the morning. Mail that arrives meanwhile waits at its senders and comes afterwards; mail programs may ask for the password once more, and need the name mail.koeniglich-preussische-porzellan-manufaktur.example.',
    link: 'https://status.koeniglich-preussische-porzellan-manufaktur.example/move',
    endsAt: '2099-12-24T04:00:00.000Z',
  },
  {
    ...{
      _id: '0190d5a0-0000-7000-8000-000000000002',
      text: 'Invoices come on the 2nd this month.',
    },
    ...{ link: '', endsAt: null },
  },
]

export const madeAnnouncements: MadeAnnouncement[] = announced.map((each, at) => ({
  ...{ ...each, audience: at === 0 ? ('everybody' as const) : ('admins' as const) },
  ...{ madeBy: at === 0 ? 'terminal' : 'olga@elsewhere.example', dismissed: at * 12 },
  madeAt: '2026-11-20T12:00:00.000Z',
}))

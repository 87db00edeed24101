/** The Admin's own mail: two projects, a friend, and other mail. */
import { anInvitation, aPdf, aPicture, aTable } from '../attachments.ts'
import { CHIDI, ELIN, full, type Letter, MARA, NORA, SKYLARK, TOMAS } from './letter.ts'

const mailbox = NORA

/** The website of a lighthouse trust. */
const harbourlight: Letter[] = [
  {
    ...{ mailbox, day: 9, time: '09:12', key: 'brief', from: MARA, cc: [TOMAS] },
    subject: 'Harbourlight: the brief for the new site',
    text: `Dear Nora,

after our talk on Tuesday I have put together what we need. The short version:

- opening hours and tides on the first page, readable on a phone in the rain
- a shop with no more than ten things in it
- pictures by Ines, as large as they may be

The long version is attached. Budget and dates are on page 3. Tomás will answer everything about the
tide data.

Warm wishes,
Mara`,
    attachments: [
      aPdf('Harbourlight brief.pdf', [
        'Harbourlight Trust: a new website',
        '',
        '1. Who comes to us, and what for',
        '2. What must be on the first page',
        '3. Budget 14,000; first version before the season opens',
      ]),
    ],
    isStarred: true,
  },
  {
    ...{ mailbox, day: 8, time: '14:40', key: 'brief-1', answers: 'brief', to: [full(MARA)] },
    cc: [full(TOMAS)],
    subject: 'Re: Harbourlight: the brief for the new site',
    text: `Dear Mara,

thank you, this is the clearest brief we have had in a year. Two questions:

1. May the shop open a week after the rest? Then the season date is safe.
2. Tomás, in which form do you have the tides, a file or a service?

Nora`,
  },
  {
    ...{ mailbox, day: 7, time: '08:05', key: 'brief-2', answers: 'brief-1', from: TOMAS },
    cc: [MARA],
    subject: 'Re: Harbourlight: the brief for the new site',
    text: `Hi Nora,

a file, once a year, from the harbour office. Here are the first rows of this year's so that you see
the columns. Heights are in metres over chart datum.

Tomás`,
    attachments: [
      aTable('tides.csv', [
        ['day', 'time', 'height', 'kind'],
        ['2026-04-01', '05:12', '4.1', 'high'],
        ['2026-04-01', '11:33', '0.8', 'low'],
        ['2026-04-01', '17:40', '4.3', 'high'],
      ]),
    ],
  },
  {
    ...{ mailbox, day: 4, time: '10:31', key: 'pictures', from: MARA },
    subject: 'Pictures from Ines',
    text: `Nora, the first two of Ines's pictures. The evening one is my favourite for the first page. Mara`,
    html: `<p>Nora,</p><p>the first two of Ines's pictures. The <strong>evening</strong> one is my favourite for the
      first page.</p><p><img src="cid:evening@harbourlight.example" alt="The bay in the evening" width="600"></p><p>Mara</p>`,
    attachments: [
      aPicture('evening.png', [232, 128, 96], [70, 62, 92], 'evening@harbourlight.example'),
      aPicture('morning.png', [150, 196, 224], [64, 110, 88]),
    ],
    isStarred: true,
  },
  {
    ...{ mailbox, day: 1, time: '16:20', key: 'shop', from: MARA },
    subject: 'Re: Harbourlight: the brief for the new site',
    answers: 'brief-1',
    text: `A week later for the shop is fine with the board. They were relieved, to be honest.

Can we see something on Thursday? An invitation is attached.

Mara`,
    attachments: [anInvitation('Harbourlight: first look', new Date('2026-12-03T10:00:00Z'))],
  },
  {
    ...{ mailbox, day: 0, time: '07:50', answers: 'shop', to: [full(MARA)] },
    subject: 'Re: Harbourlight: the brief for the new site',
    text: `Thursday at eleven it is. I will bring the first page on a phone, and an umbrella to try it under.

Nora`,
  },
  {
    ...{ mailbox, day: 0, time: '09:02', from: TOMAS, answers: 'brief-1' },
    subject: 'Re: Harbourlight: the brief for the new site',
    text: `One more thing about the tides: in the night when the clocks change the file has one hour twice.
It has fooled us every single year. Please do not let it fool the page.

Tomás`,
  },
]

/** Drawings of an office under reconstruction. */
const office: Letter[] = [
  {
    ...{ mailbox, day: 6, time: '11:15', key: 'plan', from: CHIDI },
    subject: 'Your studio: second drawing',
    text: `Hello Nora,

the wall between kitchen and workshop is gone in this one, as you wished. The beam above it stays; it
holds up your neighbours.

Could you tell me by Friday whether the plotter really needs a room of its own?

Chidi`,
    attachments: [
      aPdf('Studio, second drawing.pdf', ['Fernhill Studio', 'Ground floor, 1:50', 'Sheet 2 of 4']),
    ],
  },
  {
    ...{ mailbox, day: 5, time: '17:48', key: 'plan-1', answers: 'plan', to: [full(CHIDI)] },
    subject: 'Re: Your studio: second drawing',
    text: `Hello Chidi,

it does not. It needs a corner and a door that can be shut on Wanda's swearing.

Nora`,
  },
  {
    ...{ mailbox, day: 3, time: '08:22', answers: 'plan-1', from: CHIDI },
    subject: 'Re: Your studio: second drawing',
    text: `Understood: one corner, one heavy door. The third drawing comes next week.

Chidi`,
  },
  {
    ...{ mailbox, day: 0, time: '10:10', from: CHIDI },
    subject: 'Third drawing, and a question about light',
    text: `Hello Nora,

in the attached drawing the corner has its door. Would you like the north window larger? It would cost
about 900 and save you two lamps.

Chidi`,
    attachments: [
      aPdf('Studio, third drawing.pdf', ['Fernhill Studio', 'Ground floor, 1:50', 'Sheet 3 of 4']),
    ],
  },
]

const besides: Letter[] = [
  {
    ...{ mailbox, day: 12, time: '19:03', key: 'elin', from: ELIN, folder: 'archive' },
    subject: 'Violin on Sunday?',
    text: `Nora! Four of us, my kitchen, the Dvořák. Bring the second movement and cake. Elin`,
  },
  {
    ...{ mailbox, day: 12, time: '20:11', answers: 'elin', to: [full(ELIN)] },
    subject: 'Re: Violin on Sunday?',
    text: `Cake certainly. The second movement, we shall see. N`,
  },
  {
    ...{ mailbox, day: 2, time: '06:30', from: SKYLARK },
    subject: 'Your tickets: Lisbon, 4 to 8 December',
    text: `Your booking SKY-7Q2M is confirmed.

Out   4 December  09:35  arrives 12:10
Back  8 December  18:20  arrives 22:45

Please check in from 24 hours before departure.`,
    html: `<table width="100%" cellpadding="12" style="font-family:sans-serif;border:1px solid #dde">
      <tr><td style="background:#234;color:#fff"><strong>Skylark Travel</strong></td></tr>
      <tr><td><p>Your booking <strong>SKY-7Q2M</strong> is confirmed.</p>
      <table cellpadding="6"><tr><td>Out</td><td>4 December</td><td>09:35</td><td>arrives 12:10</td></tr>
      <tr><td>Back</td><td>8 December</td><td>18:20</td><td>arrives 22:45</td></tr></table>
      <p style="color:#667">Please check in from 24 hours before departure.</p></td></tr></table>`,
    attachments: [
      aPdf('Tickets SKY-7Q2M.pdf', ['Skylark Travel', 'SKY-7Q2M', 'N. Fernhill, seat 14A']),
    ],
  },
  {
    ...{ mailbox, day: 1, time: '21:44', from: ELIN },
    subject: '雪 ❄ and other reasons to stay in',
    text: `They say it will snow on Sunday. I vote for soup instead of a concert, and for 春 as soon as possible.

Elin`,
  },
  {
    ...{ mailbox, day: 0, time: '08:15', isDraft: true, to: [full(ELIN)] },
    subject: 'Re: 雪 ❄ and other reasons to stay in',
    text: `Soup! I will bring the bread and the`,
  },
  {
    ...{ mailbox, day: 2, time: '15:00', isDraft: true, to: [full(CHIDI)] },
    subject: 'Lamps',
    text: `Dear Chidi,

about the lamps over the long table:`,
  },
  {
    ...{ mailbox, day: 15, time: '09:00', from: CHIDI, folder: 'trash' },
    subject: 'Your studio: first drawing (old)',
    text: `Please throw this one away, the stairs are on the wrong side. Chidi`,
  },
  {
    ...{ mailbox, day: 3, time: '03:14', folder: 'junk', isRead: false },
    from: { name: 'Prize Office', address: 'winner@prize-winners.example' },
    subject: 'CONGRATULATIONS fernhill.example you have WON',
    text: `Dear winner,

your e-mail address was drawn for 4,800,000. To claim it send your name, your bank and a small
handling fee.`,
  },
  {
    ...{ mailbox, day: 1, time: '02:58', folder: 'junk', isRead: false },
    from: { name: 'Mailbox Administrator', address: 'security@prize-winners.example' },
    subject: 'Your mailbox is full - act within 24 hours',
    text: `Your mailbox has used 99% of its quota. Sign in here to keep it: http://prize-winners.example/login`,
    html: `<p>Your mailbox has used <b>99%</b> of its quota.</p>
      <p><a href="http://prize-winners.example/login">Sign in here to keep it</a></p>`,
  },
]

export const norasLetters: Letter[] = [...harbourlight, ...office, ...besides]

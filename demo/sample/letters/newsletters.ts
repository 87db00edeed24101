/** Automatic mail: newsletters with pictures, and receipts. */
import { aPdf, aPicture } from '../attachments.ts'
import { FRONT_DESK, type Letter, NORA, PAPERPLANE, TIDE_TABLE } from './letter.ts'

type Issue = { n: number; day: number; headline: string; stories: readonly [string, string][] }

const issues: Issue[] = [
  {
    ...{ n: 41, day: 21, headline: 'Small printers, large maps' },
    stories: [
      ['A map the size of a barn', 'How three people in Leith printed a coast in one piece.'],
      ['The paper that floats', 'Waterproof stock, tried in a kayak.'],
      ['Letters to the editor', 'About our remarks on ligatures, mostly.'],
    ],
  },
  {
    ...{ n: 42, day: 14, headline: 'What lighthouses know about type' },
    stories: [
      ['Read it from two miles', 'Lettering on buoys, and who paints it.'],
      ['Red, white, red', 'A short history of stripes.'],
      ['Calendar', 'Two book fairs and a launch.'],
    ],
  },
  {
    ...{ n: 43, day: 7, headline: 'A winter of slow books' },
    stories: [
      ['Bound by hand', 'Forty copies a year, and a waiting list of eight.'],
      ['Ink from oak galls', 'The recipe, and what it does to your table.'],
      ['Shop', 'Posters of issue 40 are back.'],
    ],
  },
  {
    ...{ n: 44, day: 0, headline: 'The coast in twelve colours' },
    stories: [
      ['Twelve blocks, one wave', 'A woodcut from first sketch to last proof.'],
      ['Who owns a blue?', 'On pigments and patents.'],
      ['Reader survey', 'Five minutes, one mug to win.'],
    ],
  },
]

const skies = [
  [120, 170, 210],
  [236, 150, 110],
  [170, 190, 200],
  [96, 140, 190],
] as const

const issue = ({ n, day, headline, stories }: Issue): Letter => {
  const contentId = `issue${n}@tidepool-press.example`
  return {
    ...{ mailbox: NORA, day, time: '05:30', from: TIDE_TABLE, isRead: day > 0 },
    subject: `The Tide Table No. ${n}: ${headline}`,
    text: [
      headline,
      '',
      ...stories.flatMap(([title, line]) => [title, line, '']),
      'Tidepool Press',
    ].join('\n'),
    html: `<div style="background:#f3f1ec;padding:24px;font-family:Georgia,serif;color:#223">
      <table width="600" align="center" cellpadding="0" cellspacing="0" style="background:#fff">
      <tr><td style="padding:20px 28px;font-size:13px;letter-spacing:2px">THE TIDE TABLE &middot; No. ${n}</td></tr>
      <tr><td><img src="cid:${contentId}" alt="" width="600" style="display:block;max-width:100%"></td></tr>
      <tr><td style="padding:24px 28px"><h1 style="font-size:28px;margin:0 0 16px">${headline}</h1>
      ${stories.map(([title, line]) => `<h2 style="font-size:18px;margin:16px 0 4px">${title}</h2><p style="margin:0">${line}</p>`).join('\n')}
      <p><a href="https://tidepool-press.example/${n}" style="color:#1a5a8a">Read it all</a></p></td></tr>
      <tr><td style="padding:16px 28px;font-size:12px;color:#667">Tidepool Press, 3 Quay Street.
      <a href="https://tidepool-press.example/stop">Unsubscribe</a>
      <img src="https://images.tidepool-press.example/seen/${n}.gif" alt="" width="1" height="1"></td></tr>
      </table></div>`,
    attachments: [aPicture(`issue-${n}.png`, skies[n % 4] ?? skies[0], [60, 96, 84], contentId)],
  }
}

const receipt = (month: string, number: number, day: number): Letter => ({
  ...{ mailbox: FRONT_DESK, day, time: '04:00', from: PAPERPLANE, isRead: day > 2 },
  subject: `Receipt ${number} for ${month}`,
  text: `Thank you. We have received 48.00 for Paperplane Studio, ${month}.

The receipt is attached as a PDF.`,
  attachments: [
    aPdf(`Receipt ${number}.pdf`, ['Paperplane', `Receipt ${number}`, month, 'Studio plan: 48.00']),
  ],
})

export const newsletters: Letter[] = [
  ...issues.map(issue),
  receipt('September', 20_911, 80),
  receipt('October', 21_377, 50),
  receipt('November', 21_840, 20),
]

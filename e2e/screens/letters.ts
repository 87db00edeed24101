/** Mails as the world sends them, chosen for what breaks a page: width, length, direction, pictures, files. */
import { PNG } from '#test-world/outgoing/hostile-web.ts'
import { ELSEWHERE } from '#test-world/product.ts'

export type LetterKey =
  | 'newsletter'
  | 'files'
  | 'arabic'
  | 'unbroken'
  | 'plain'
  | 'answer'
  | 'nameless'
  | 'junk'
  | 'invitation'

type Letter = {
  from: string
  subject: string
  type: string
  body: string
  answers?: LetterKey
  /** How its list is left. */
  unsubscribe?: string
}

const encoded = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
const folded = (text: string): string => (text.match(/.{1,30}/gsu) ?? []).map(encoded).join('\r\n ')

const HTML = 'text/html; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'

const story = (title: string): string =>
  `<tr><td style="padding:16px 32px"><h2 style="margin:0 0 6px;font-size:20px">${title}</h2>
  <p style="margin:0">How three people in Leith printed a coast in one piece, and what the harbour master said when he saw it.</p>
  <p><a href="https://tidepool-press.example/read">Read it all</a></p></td></tr>`

const newsletter = `<body style="background:#eef1f6;margin:0"><table width="100%"><tr><td align="center" style="padding:24px">
<table width="720" cellpadding="0" cellspacing="0" style="width:720px;background:#fff;font-family:Georgia,serif;color:#222">
<tr><td><img src="https://images.tidepool-press.example/head.png" width="720" height="160" alt="The Tide Table"></td></tr>
${['A map the size of a barn', 'The paper that floats', 'Letters to the editor'].map(story).join('\n')}
<tr><td style="padding:20px 32px;font-size:12px;color:#667">Tidepool Press, 3 Quay Street
<img src="https://images.tidepool-press.example/seen.gif" width="1" height="1" alt=""></td></tr>
</table></td></tr></table></body>`

const file = (name: string, type: string, content: string | Buffer): string =>
  `--mixed\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content as string).toString('base64')}\r\n`

const calendar = [
  ...[
    'BEGIN:VCALENDAR',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'UID:quay@paperplane.example',
    'SEQUENCE:1',
  ],
  ...[
    'SUMMARY:The engine on the quay: what it costs and who pays',
    'LOCATION:Harbour office\\, room 4',
  ],
  ...['DTSTART;TZID=Asia/Tokyo:20261201T090000', 'DTEND;TZID=Asia/Tokyo:20261201T103000'],
  ...['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=6', 'DESCRIPTION:Bring the drawings.'],
  ...['ORGANIZER;CN=Grace Hopper:mailto:grace@elsewhere.example'],
  ...['Ada', 'Charles', 'Eve', 'Mary', 'Jacquard', 'Luigi', 'Augustus'].map(
    (name) => `ATTENDEE;PARTSTAT=ACCEPTED;CN=${name}:mailto:${name}@elsewhere.example`,
  ),
  ...['END:VEVENT', 'END:VCALENDAR'],
].join('\r\n')

export const letters: Record<LetterKey, Letter> = {
  plain: {
    from: 'Grace Hopper',
    subject: 'Minutes of Tuesday',
    type: PLAIN,
    body: 'Dear Ada,\r\n\r\nthe minutes are at https://elsewhere.example/minutes/of/the/meeting/of/tuesday?with=a-very-long-address&and=another-part&until=the-end-of-the-line and I would be glad of a word before noon.\r\n\r\n> Shall we meet on Tuesday?\r\n> I have the room until four.\r\n\r\nYours,\r\nGrace\r\n',
  },
  answer: {
    ...{ from: 'Charles Babbage', subject: 'Re: Minutes of Tuesday', type: HTML, answers: 'plain' },
    body: '<p>They are right, but for the number of cogs: see www.elsewhere.example/cogs.</p><p>Charles</p><div>On Tuesday, Grace Hopper wrote:</div><blockquote>Dear Ada, the minutes are ready.</blockquote>',
  },
  nameless: { from: '', subject: '', type: PLAIN, body: '\r\n' },
  unbroken: {
    from: 'Wolfeschlegelsteinhausenbergerdorff Vorgeboren-Zugewanderten der Ältere',
    subject: `Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft${'x'.repeat(90)}`,
    type: PLAIN,
    body: `${'unbroken'.repeat(60)}\r\n`,
  },
  arabic: {
    from: 'محمد بن عبد الرحمن الأنصاري',
    subject: 'دعوة إلى الاجتماع السنوي للمهندسين في القاهرة يوم الثلاثاء القادم',
    type: PLAIN,
    body: 'السلام عليكم،\r\n\r\nيسعدنا دعوتكم إلى الاجتماع السنوي. العنوان: 12 شارع النيل.\r\n\r\nمع أطيب التحيات\r\n',
  },
  files: {
    from: 'Paperplane',
    subject: 'Receipt 21,840 and everything that belongs to it',
    type: 'multipart/mixed; boundary=mixed',
    body: `--mixed\r\nContent-Type: ${PLAIN}\r\n\r\nThe receipt is attached.\r\n${file('Receipt for November.pdf', 'application/pdf', '%PDF-1.4')}${file('View of the harbour.png', 'image/png', PNG)}${file(`${'a-file-with-a-name-that-goes-on-'.repeat(4)}.csv`, 'text/csv', 'a,b\n1,2\n')}--mixed--\r\n`,
  },
  // As others send it: beside the text, and as a file once more.
  invitation: {
    from: 'Grace Hopper',
    subject: 'Updated invitation: The engine on the quay',
    type: 'multipart/mixed; boundary=mixed',
    body: `--mixed\r\nContent-Type: ${PLAIN}\r\n\r\nPlease come.\r\n--mixed\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\n${calendar}\r\n${file('invite.ics', 'application/ics', calendar)}--mixed--\r\n`,
  },
  // Filed in Junk: a program that passes for a document.
  junk: {
    from: 'Accounts of service@the-bank.example',
    subject: 'YOUR UNPAID INVOICE IS ATTACHED',
    type: 'multipart/mixed; boundary=mixed',
    body: `--mixed\r\nContent-Type: ${PLAIN}\r\n\r\nPay at http://203.0.113.9/pay today.\r\n${file('Invoice-of-the-department.pdf.exe', 'application/octet-stream', 'MZ')}--mixed--\r\n`,
  },
  newsletter: {
    from: 'The Tide Table',
    subject: 'The Tide Table No. 44: The coast in twelve colours',
    type: HTML,
    unsubscribe: `mailto:off@${ELSEWHERE}?subject=off`,
    body: newsletter,
  },
}

export const SENDER = `press@${ELSEWHERE}`

export const rawOf = (letter: Letter, to: string, messageId: string): string =>
  [
    `From: ${letter.from === '' ? SENDER : `${folded(letter.from)} <${SENDER}>`}`,
    `To: <${to}>`,
    `Subject: ${folded(letter.subject)}`,
    `Message-ID: <${messageId}>`,
    ...(letter.answers ? [`In-Reply-To: <${letter.answers}@x.example>`] : []),
    ...(letter.unsubscribe ? [`List-Unsubscribe: <${letter.unsubscribe}>`] : []),
    'MIME-Version: 1.0',
    `Content-Type: ${letter.type}`,
    'Content-Transfer-Encoding: 8bit',
    '',
    letter.body.replaceAll(/\r?\n/g, '\r\n'),
  ].join('\r\n')

/** The shared mailboxes of the agency: enquiries, and support requests. */
import { aPdf, aPicture } from '../attachments.ts'
import { AGNES, CHIDI, FRONT_DESK, full, JONAS, type Letter, SUPPORT } from './letter.ts'

const frontDesk: Letter[] = [
  {
    ...{ mailbox: FRONT_DESK, day: 11, time: '13:20', key: 'bakery', from: JONAS },
    subject: 'A website for a bakery?',
    text: `Good afternoon,

my sister and I are opening a bakery in Elm Street. We have a name, an oven and no idea about
websites. What would something small cost?

Jonas Weil`,
  },
  {
    ...{ mailbox: FRONT_DESK, day: 10, time: '09:30', key: 'bakery-1', answers: 'bakery' },
    to: [full(JONAS)],
    subject: 'Re: A website for a bakery?',
    text: `Dear Mr Weil,

something small costs 1,800 and takes three weeks. It has your opening hours, what is in the oven
today, and mail addresses at your own name. Our offer is attached.

Fernhill Studio`,
    attachments: [
      aPdf('Offer Elm Street Bakery.pdf', ['Fernhill Studio', 'Offer', '1,800, three weeks']),
    ],
  },
  {
    ...{
      mailbox: FRONT_DESK,
      day: 9,
      time: '18:02',
      answers: 'bakery-1',
      from: JONAS,
      isStarred: true,
    },
    subject: 'Re: A website for a bakery?',
    text: `We say yes! My sister asks whether the addresses could be ready before the website. We have flyers
to print.`,
  },
  {
    ...{ mailbox: FRONT_DESK, day: 6, time: '10:00', from: AGNES },
    subject: 'Application: apprentice, from spring',
    text: `Dear people at Fernhill,

I would like to learn with you. My drawings are attached; the second one is the view from my window.

Agnes Thorn`,
    attachments: [
      aPdf('Agnes Thorn.pdf', ['Agnes Thorn', 'Born in Hull', 'Draws, prints, rows']),
      aPicture('window.png', [176, 206, 196], [88, 96, 60]),
    ],
    isStarred: true,
  },
  {
    ...{ mailbox: FRONT_DESK, day: 2, time: '12:12', from: CHIDI },
    subject: 'Number of your contact for the fire inspection',
    text: `Hello, whom should the inspector ring on site? Nora's line is always busy. Chidi`,
  },
  {
    ...{ mailbox: FRONT_DESK, day: 0, time: '08:40', from: JONAS },
    subject: 'Flyers are printed',
    text: `Just so that you know: 500 flyers with hello@elm-street-bakery.example on them. No pressure.

Jonas`,
  },
  {
    ...{ mailbox: FRONT_DESK, day: 0, time: '11:25', from: AGNES },
    subject: 'Re: Application: apprentice, from spring',
    text: `Thank you for the call! Monday at nine, with pencils. Agnes`,
  },
]

const support: Letter[] = [
  {
    ...{ mailbox: SUPPORT, day: 5, time: '07:45', key: 'phone', from: JONAS },
    subject: 'How do I get the mail on my phone?',
    text: `Hello, the address works in the browser. What do I type into the phone?`,
  },
  {
    ...{ mailbox: SUPPORT, day: 5, time: '09:05', answers: 'phone', to: [full(JONAS)] },
    subject: 'Re: How do I get the mail on my phone?',
    text: `Good morning, only your address: it finds the rest by itself. The password is one of its own, which
we will make with you on the phone. Is eleven good?`,
  },
  {
    ...{ mailbox: SUPPORT, day: 3, time: '16:37', from: AGNES },
    subject: 'A mail to me came back',
    text: `My uncle wrote to me and got this:

  550 5.1.1 No such mailbox here

He typed anges instead of agnes, it turns out. Sorry for the noise!`,
  },
  {
    ...{
      mailbox: SUPPORT,
      day: 1,
      time: '10:50',
      from: { ...CHIDI, address: 'office@okafor-architects.example' },
    },
    subject: 'Large drawings',
    text: `How large may an attachment be? Our drawings of the school are 31 MB.`,
  },
  {
    ...{ mailbox: SUPPORT, day: 0, time: '06:55', from: JONAS },
    subject: 'It rings!',
    text: `The phone has all my mail now. My sister wants it too. Can you do tomorrow?`,
  },
]

export const officeLetters: Letter[] = [...frontDesk, ...support]

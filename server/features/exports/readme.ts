/** The first file of an archive: what is where. */
export const README = `This is everything that one workspace of Mailstead had when the archive was made.

mail/       A file for each mailbox, in the mbox format, which Thunderbird, Apple Mail and others read.
            The lines X-Mailstead-Folder, Status and X-Status of each message say its folder and its flags.
            Mailstead takes such a file back: Mailbox settings, Export and import.
lists/      Domains, DNS records, mailboxes, people, contacts, settings, the access log and more.
            Each list is there twice: .csv for spreadsheets and .json for programs. Ids tie the lists together.
            The lists were read one after another: a later one may show what changed after an earlier one was read.
invoices/   Every invoice as PDF.
manifest.json
            How many there are of each, what was left out and why, and the SHA-256 of each file.

Passwords, keys and links are not in it: nobody signs in with what is here.
`

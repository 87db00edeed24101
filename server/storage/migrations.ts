import type { Schema } from './migrate.ts'
import * as first from './migrations/0001-0010/0001-first.ts'
import * as accounts from './migrations/0001-0010/0002-accounts.ts'
import * as invitations from './migrations/0001-0010/0003-invitations.ts'
import * as sightings from './migrations/0001-0010/0004-sightings.ts'
import * as domainSettings from './migrations/0001-0010/0005-domain-settings.ts'
import * as dnsLinks from './migrations/0001-0010/0006-dns-links.ts'
import * as watching from './migrations/0001-0010/0007-watching.ts'
import * as ownership from './migrations/0001-0010/0008-ownership.ts'
import * as journeys from './migrations/0001-0010/0009-journeys.ts'
import * as addresses from './migrations/0001-0010/0010-addresses.ts'
import * as junk from './migrations/0011-0020/0011-junk.ts'
import * as stsPolicies from './migrations/0011-0020/0012-sts-policies.ts'
import * as brakes from './migrations/0011-0020/0013-brakes.ts'
import * as access from './migrations/0011-0020/0014-access.ts'
import * as conversations from './migrations/0011-0020/0015-conversations.ts'
import * as pictureSenders from './migrations/0011-0020/0016-picture-senders.ts'
import * as writing from './migrations/0011-0020/0017-writing.ts'
import * as mailboxSettings from './migrations/0011-0020/0018-mailbox-settings.ts'
import * as removedUploads from './migrations/0011-0020/0019-removed-uploads.ts'
import * as filingSooner from './migrations/0011-0020/0020-filing-sooner.ts'
import * as claimers from './migrations/0021-0030/0021-claimers.ts'
import * as readInPart from './migrations/0021-0030/0024-read-in-part.ts'
import * as waysIn from './migrations/0021-0030/0025-ways-in.ts'
import * as invoiceSeries from './migrations/0021-0030/0026-invoice-series.ts'
import * as sharedMailboxes from './migrations/0021-0030/0028-shared-mailboxes.ts'
import * as unsubscriptions from './migrations/0031-0040/0034-unsubscriptions.ts'
import * as firstMail from './migrations/0031-0040/0035-first-mail.ts'
import * as testMails from './migrations/0031-0040/0036-test-mails.ts'
import * as invoiceDocuments from './migrations/0031-0040/0037-invoice-documents.ts'
import * as deletions from './migrations/0031-0040/0039-deletions.ts'
import * as preferences from './migrations/0041-0050/0041-preferences.ts'
import * as foldedLetters from './migrations/0041-0050/0044-folded-letters.ts'
import * as linksToManyDomains from './migrations/0041-0050/0046-links-to-many-domains.ts'
import * as savedViews from './migrations/0041-0050/0047-saved-views.ts'
import * as mailsOfSuspension from './migrations/0041-0050/0048-mails-of-suspension.ts'
import * as invoiceMailsThatWait from './migrations/0041-0050/0049-invoice-mails-that-wait.ts'
import * as writingPreferences from './migrations/0051-0060/0051-writing-preferences.ts'
import * as untoldDeletions from './migrations/0051-0060/0052-untold-deletions.ts'
import * as endOfTheFirstSteps from './migrations/0051-0060/0053-end-of-the-first-steps.ts'
import * as mailboxLimits from './migrations/0051-0060/0054-mailbox-limits.ts'
import * as changeLog from './migrations/0051-0060/0056-change-log.ts'
import * as searchTextsLater from './migrations/0051-0060/0057-search-texts-later.ts'
import * as blobNames from './migrations/0051-0060/0058-blob-names.ts'
import * as bulkChangesSooner from './migrations/0051-0060/0059-bulk-changes-sooner.ts'
import * as searchTextsWithTheMail from './migrations/0061-0070/0062-search-texts-with-the-mail.ts'
import * as structures from './migrations/0061-0070/0063-structures.ts'
import * as storedStructures from './migrations/0061-0070/0064-structures-of-stored-bytes.ts'
import * as appPasswords from './migrations/0061-0070/0065-app-passwords.ts'
import * as mailPrograms from './migrations/0061-0070/0066-mail-programs.ts'
import * as certificates from './migrations/0061-0070/0067-certificates.ts'
import * as operators from './migrations/0061-0070/0068-operators.ts'
import * as backups from './migrations/0061-0070/0069-backups.ts'
import * as alerts from './migrations/0061-0070/0070-alerts.ts'
import * as senderLists from './migrations/0071-0080/0071-sender-lists.ts'
import * as complaints from './migrations/0071-0080/0072-complaints.ts'
import * as consoleOfOperators from './migrations/0071-0080/0073-console-of-operators.ts'
import * as leaving from './migrations/0071-0080/0074-leaving.ts'
import * as leftFolders from './migrations/0071-0080/0075-left-folders.ts'
import * as textsOfStructures from './migrations/0071-0080/0077-texts-of-structures.ts'
import * as mailLog from './migrations/0071-0080/0078-mail-log.ts'
import * as secondFactors from './migrations/0081-0090/0081-second-factors.ts'
import * as factorResets from './migrations/0081-0090/0082-factor-resets.ts'
import * as auditLog from './migrations/0081-0090/0083-audit-log.ts'
import * as lastUses from './migrations/0081-0090/0084-last-uses-of-sessions.ts'
import * as apiKeys from './migrations/0081-0090/0085-api-keys.ts'
import * as idempotencyKeys from './migrations/0081-0090/0086-idempotency-keys.ts'
import * as webhooks from './migrations/0081-0090/0087-webhooks.ts'
import * as cardPayments from './migrations/0081-0090/0089-card-payments.ts'
import * as requiredFactors from './migrations/0091-0100/0091-required-factors.ts'
import * as sessionsOfMailLinks from './migrations/0091-0100/0093-sessions-of-mail-links.ts'
import * as keysOfHolders from './migrations/0091-0100/0095-keys-of-holders.ts'
import * as ledger from './migrations/0091-0100/0096-ledger.ts'
import * as keptLedger from './migrations/0091-0100/0097-kept-ledger.ts'
import * as freedBlobs from './migrations/0091-0100/0099-freed-blobs.ts'
import * as freedBytes from './migrations/0091-0100/0100-freed-bytes.ts'
import * as webFiles from './migrations/0101-0110/0110-web-files.ts'
import * as keysOfHistories from './migrations/0111-0120/0111-keys-of-histories.ts'
import * as keysOfWorkspaces from './migrations/0111-0120/0112-keys-of-workspaces.ts'
import * as referencesOfWorkspaces from './migrations/0111-0120/0113-references-of-workspaces.ts'
import * as referencesToMailboxes from './migrations/0111-0120/0114-references-to-mailboxes.ts'
import * as checkedReferences from './migrations/0111-0120/0115-checked-references.ts'
import * as keysOfSecrets from './migrations/0111-0120/0116-keys-of-secrets.ts'
import * as keysOfMail from './migrations/0111-0120/0117-keys-of-mail.ts'
import * as checkedReferencesOfMail from './migrations/0111-0120/0118-checked-references-of-mail.ts'
import * as statisticsOfPlaces from './migrations/0111-0120/0119-statistics-of-places.ts'
import * as uniqueInTheInstallation from './migrations/0111-0120/0120-unique-in-the-installation.ts'
import * as filledAddresses from './migrations/0121-0130/0121-filled-addresses.ts'
import * as keysOfAddresses from './migrations/0121-0130/0122-keys-of-addresses.ts'
import * as keysBesideMail from './migrations/0121-0130/0123-keys-beside-mail.ts'
import * as keysOfMailboxes from './migrations/0121-0130/0124-keys-of-mailboxes.ts'
import * as keysOfDomains from './migrations/0121-0130/0125-keys-of-domains.ts'
import * as referencesThatEmpty from './migrations/0121-0130/0126-references-that-empty.ts'
import * as checkedReferencesThatEmpty from './migrations/0121-0130/0127-checked-references-that-empty.ts'
import * as keysOfBoxes from './migrations/0121-0130/0128-keys-of-boxes.ts'

/** In the order in which they are done. */
export const migrations: Schema['migrations'] = {
  '0001-first': first,
  '0002-accounts': accounts,
  '0003-invitations': invitations,
  '0004-sightings': sightings,
  '0005-domain-settings': domainSettings,
  '0006-dns-links': dnsLinks,
  '0007-watching': watching,
  '0008-ownership': ownership,
  '0009-journeys': journeys,
  '0010-addresses': addresses,
  '0011-junk': junk,
  '0012-sts-policies': stsPolicies,
  '0013-brakes': brakes,
  '0014-access': access,
  '0015-conversations': conversations,
  '0016-picture-senders': pictureSenders,
  '0017-writing': writing,
  '0018-mailbox-settings': mailboxSettings,
  '0019-removed-uploads': removedUploads,
  '0020-filing-sooner': filingSooner,
  '0021-claimers': claimers,
  '0024-read-in-part': readInPart,
  '0025-ways-in': waysIn,
  '0026-invoice-series': invoiceSeries,
  '0028-shared-mailboxes': sharedMailboxes,
  '0034-unsubscriptions': unsubscriptions,
  '0035-first-mail': firstMail,
  '0036-test-mails': testMails,
  '0037-invoice-documents': invoiceDocuments,
  '0039-deletions': deletions,
  '0041-preferences': preferences,
  '0044-folded-letters': foldedLetters,
  '0046-links-to-many-domains': linksToManyDomains,
  '0047-saved-views': savedViews,
  '0048-mails-of-suspension': mailsOfSuspension,
  '0049-invoice-mails-that-wait': invoiceMailsThatWait,
  '0051-writing-preferences': writingPreferences,
  '0052-untold-deletions': untoldDeletions,
  '0053-end-of-the-first-steps': endOfTheFirstSteps,
  '0054-mailbox-limits': mailboxLimits,
  '0056-change-log': changeLog,
  '0057-search-texts-later': searchTextsLater,
  '0058-blob-names': blobNames,
  '0059-bulk-changes-sooner': bulkChangesSooner,
  '0062-search-texts-with-the-mail': searchTextsWithTheMail,
  '0063-structures': structures,
  '0064-structures-of-stored-bytes': storedStructures,
  '0065-app-passwords': appPasswords,
  '0066-mail-programs': mailPrograms,
  '0067-certificates': certificates,
  '0068-operators': operators,
  '0069-backups': backups,
  '0070-alerts': alerts,
  '0071-sender-lists': senderLists,
  '0072-complaints': complaints,
  '0073-console-of-operators': consoleOfOperators,
  '0074-leaving': leaving,
  '0075-left-folders': leftFolders,
  '0077-texts-of-structures': textsOfStructures,
  '0078-mail-log': mailLog,
  '0081-second-factors': secondFactors,
  '0082-factor-resets': factorResets,
  '0083-audit-log': auditLog,
  '0084-last-uses-of-sessions': lastUses,
  '0085-api-keys': apiKeys,
  '0086-idempotency-keys': idempotencyKeys,
  '0087-webhooks': webhooks,
  '0089-card-payments': cardPayments,
  '0091-required-factors': requiredFactors,
  '0093-sessions-of-mail-links': sessionsOfMailLinks,
  '0095-keys-of-holders': keysOfHolders,
  '0096-ledger': ledger,
  '0097-kept-ledger': keptLedger,
  '0099-freed-blobs': freedBlobs,
  '0100-freed-bytes': freedBytes,
  '0110-web-files': webFiles,
  '0111-keys-of-histories': keysOfHistories,
  '0112-keys-of-workspaces': keysOfWorkspaces,
  '0113-references-of-workspaces': referencesOfWorkspaces,
  '0114-references-to-mailboxes': referencesToMailboxes,
  '0115-checked-references': checkedReferences,
  '0116-keys-of-secrets': keysOfSecrets,
  '0117-keys-of-mail': keysOfMail,
  '0118-checked-references-of-mail': checkedReferencesOfMail,
  '0119-statistics-of-places': statisticsOfPlaces,
  '0120-unique-in-the-installation': uniqueInTheInstallation,
  '0121-filled-addresses': filledAddresses,
  '0122-keys-of-addresses': keysOfAddresses,
  '0123-keys-beside-mail': keysBesideMail,
  '0124-keys-of-mailboxes': keysOfMailboxes,
  '0125-keys-of-domains': keysOfDomains,
  '0126-references-that-empty': referencesThatEmpty,
  '0127-checked-references-that-empty': checkedReferencesThatEmpty,
  '0128-keys-of-boxes': keysOfBoxes,
}

/** Every screen in every state. A new page, dialog or menu gets its line in the file of its part. */
import { accessScreens } from './access/access-screens.ts'
import { accountScreens } from './account-screens.ts'
import { addressScreens } from './addresses/address-screens.ts'
import { cardScreens } from './cards/card-screens.ts'
import { dnsLinkScreens } from './dns-link-screens.ts'
import { domainPageScreens } from './domains/domain-page-screens.ts'
import { domainScreens } from './domains/domain-screens.ts'
import { invitationScreens } from './invitation-screens.ts'
import { mailScreens } from './mail-screens.ts'
import { mailboxScreens } from './mailbox-screens.ts'
import { installationScreens } from './operator/installation-screens.ts'
import { operatorMailScreens } from './operator/operator-mail-screens.ts'
import { operatorScreens } from './operator/operator-screens.ts'
import { ownershipScreens } from './ownership/ownership-screens.ts'
import { readingScreens } from './reading/reading-screens.ts'
import { roleScreens } from './role-screens.ts'
import type { Screen } from './screen.ts'
import { securityScreens } from './security-screens.ts'
import { sendingScreens } from './sending/sending-screens.ts'
import { apiKeyScreens } from './settings/api-key-screens.ts'
import { appPasswordScreens } from './settings/app-password-screens.ts'
import { mailboxSettingScreens } from './settings/mailbox-setting-screens.ts'
import { secondFactorScreens } from './settings/second-factor-screens.ts'
import { setUpScreens } from './settings/set-up-screens.ts'
import { transferScreens } from './settings/transfer-screens.ts'
import { webhookScreens } from './settings/webhook-screens.ts'
import { shellScreens } from './shell-screens.ts'
import { visitorScreens } from './visitor-screens.ts'
import { letterScreens } from './writing/letter-screens.ts'
import { writingScreens } from './writing/writing-screens.ts'

export const allScreens: readonly Screen[] = [
  ...visitorScreens,
  ...shellScreens,
  ...domainScreens,
  ...domainPageScreens,
  ...dnsLinkScreens,
  ...ownershipScreens,
  ...mailboxScreens,
  ...mailScreens,
  ...readingScreens,
  ...addressScreens,
  ...accessScreens,
  ...sendingScreens,
  ...mailboxSettingScreens,
  ...appPasswordScreens,
  ...apiKeyScreens,
  ...setUpScreens,
  ...webhookScreens,
  ...secondFactorScreens,
  ...writingScreens,
  ...letterScreens,
  ...transferScreens,
  ...accountScreens,
  ...cardScreens,
  ...securityScreens,
  ...invitationScreens,
  ...roleScreens,
  ...operatorScreens,
  ...operatorMailScreens,
  ...installationScreens,
]

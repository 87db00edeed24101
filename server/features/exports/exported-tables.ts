/**
 * What of each table is in the archive of a workspace (decision 112). Every table and column of a workspace is named here, or left out
 * with a reason: a test compares it with the database, so a new one is decided on, and no secret slips in.
 */

/** Columns that are written, and those that are not. `workspace_id` is the same in every row. */
type Exported = { columns: string; without?: string }

export const exportedTables: Record<string, Exported> = {
  access_entries: { columns: 'at mailbox_email kind actor subject reason mailbox_id id' },
  access_links: {
    columns: 'mailbox_id mailed_to created_at expires_at ended_at outcome made_by',
    without: 'token_hash',
  },
  aliases: { columns: 'email mailbox_id domain_id created_at id' },
  api_keys: {
    columns:
      'kind name scopes domain_ids mailbox_ids ips user_id created_at expires_at last_used_at last_used_ip id',
    without: 'secret_hash ending of_holder member_id',
  },
  app_passwords: {
    columns: 'name mailbox_id user_id scopes created_at expires_at id',
    without: 'secret_hash',
  },
  audit_log: {
    columns:
      'at name email by_what ip topic action what object object_after details is_done user_id id',
  },
  bounces: { columns: 'at mailbox_id delivery_id' },
  card_customers: {
    columns: 'card_brand card_last4 card_expires updated_at',
    without: 'generation customer_id payment_method_id told',
  },
  card_payments: {
    columns:
      'invoice_id attempt kind state amount_cents currency reason created_at ended_at paid_cents refunded_cents disputed_cents is_disputed payment_intent_id id',
    without: 'customer_id payment_method_id session_id session_url look_at mail_waits',
  },
  card_refunds: {
    columns: 'card_payment_id amount_cents note asked_by state refund_id credit_id created_at id',
  },
  catch_alls: { columns: 'domain_id mailbox_id' },
  complaints: { columns: 'at mailbox_id kind reporter id', without: 'about' },
  company_profiles: {
    columns:
      'name vat_id website phone address zip_code city country time_zone time_format updated_at',
  },
  contacts: { columns: 'mailbox_id name address times', without: 'words rank' },
  correspondents: { columns: 'mailbox_id address' },
  deliveries: {
    columns:
      'recipient status attempts last_reply created_at finished_at held_at outbox_message_id id',
    without: 'recipient_domain next_attempt_at claimed_by',
  },
  delivery_attempts: { columns: 'at host ip is_tls code reply outcome delivery_id id' },
  dns_link_domains: { columns: 'link_id domain_id' },
  dns_links: {
    columns: 'sent_to created_by created_at expires_at opened_at id',
    without: 'token_hash',
  },
  domain_claims: {
    columns: 'domain_id started_at decides_at outcome ended_at id',
    without: 'holder_domain_id is_holder_proven reminded_at next_look_at',
  },
  domain_keys: {
    columns: 'domain_id selector algorithm public_key created_at id',
    without: 'private_key_sealed',
  },
  domain_record_changes: {
    columns: 'at domain_id purpose from_state from_values to_state to_values id',
  },
  domain_records: {
    columns:
      'domain_id purpose position type name value ttl priority is_required state found explanation fix checked_at changed_at verified_at',
    without: 'next_check_at sightings unanswered_since failures failed_at alerted_at',
  },
  domain_settings: { columns: 'domain_id zone name_servers mx spf our_spf dmarc checked_at' },
  domains: {
    columns:
      'name is_verified verified_at is_active activated_at created_at mail_came_at mail_went_at sending_stopped_at mailbox_limit ends_at deleted_by id',
    without: 'ownership_token watched_at check_claimed_until deletion_untold_since works_seen_at',
  },
  folders: {
    columns: 'mailbox_id role name message_count unread_count is_subscribed id',
    without: 'uid_validity uid_next highest_modseq',
  },
  invitations: { columns: 'email role invited_by sent_at expires_at outcome ended_at id' },
  invoice_lines: { columns: 'invoice_id email amount_cents mailbox_id credited_line_id id' },
  invoices: {
    columns:
      'series number kind status amount_cents currency mailbox_count period_start period_end created_at due_at paid_at corrects_id tax_name tax_rate tax_cents credited_cents note seller_name seller_address seller_vat_id seller_email payment_details buyer_name buyer_address buyer_vat_id collection collected_cents payment_state payment_reason id',
    without: 'reminders reminded_at suspended_at mail_waits',
  },
  ledger_entries: {
    columns: 'invoice_id kind cents at card_payment_id source id',
  },
  mail_exports: {
    columns: 'mailbox_id user_id folder_id total written state created_at id',
    without: 'token_hash expires_at',
  },
  mail_imports: {
    columns: 'mailbox_id filename size_bytes filed skipped failed state reason created_at id',
    without: 'fingerprint folder_id received_bytes read_bytes touched_at claimed_until',
  },
  mailbox_keywords: { columns: 'mailbox_id keyword', without: 'place' },
  mailbox_readers: { columns: 'mailbox_id user_id origin can_send created_at ends_at' },
  mailboxes: {
    columns:
      'email first_name last_name display_name signature status used_bytes domain_id created_at is_overdue ends_at deleted_by is_deleted_with_domain id',
    without: 'modseq forgotten_modseq',
  },
  members: { columns: 'user_id role created_at' },
  operator_actions: { columns: 'at operator verb subject detail id' },
  picture_senders: { columns: 'mailbox_id address created_at id' },
  program_uses: {
    columns: 'mailbox_id user_id app_password_id network ip scope program first_at last_at',
    without: 'is_untold',
  },
  released_domains: { columns: 'name reason mailbox_count released_at id' },
  saved_views: { columns: 'user_id list name query created_at id' },
  sending_stops: {
    columns: 'mailbox_id stopped_at failed ended example resumed_at operator_reason id',
    without: 'is_untold',
  },
  required_factors: { columns: 'required_at grace_days id', without: 'is_told told_until' },
  sendings: { columns: 'at mailbox_id recipients new_recipients id' },
  test_mails: {
    columns: 'domain_id mailbox_id recipient sent_at answered_at answer_kind answer_results',
    without: 'message_id outbox_message_id',
  },
  unsubscriptions: { columns: 'mailbox_id list created_at id' },
  vacation_replies: {
    columns: 'mailbox_id is_on first_day last_day time_zone subject text answered',
    without: 'starts_at ends_at period_id',
  },
  webhook_attempts: { columns: 'at webhook_id event_id duration_ms status reason answer id' },
  webhook_events: {
    columns: 'id webhook_id topic about data created_at state attempts',
    without: 'seq',
  },
  webhooks: {
    columns: 'url topics created_by created_at off_reason off_at failing_since id',
    without:
      'secret_sealed former_secret_sealed former_until failures paused_until is_slow is_untold',
  },
  workspace_exports: {
    columns: 'asked_by created_at ended_at state messages size_bytes id',
    without: 'user_id token_hash token_expires_at written claimed_until tries reason expires_at',
  },
}

/** Tables of a workspace that are not written, by the reason. */
export const leftOutTables: Record<string, readonly string[]> = {
  'the mail itself is in the folder mail': ['messages', 'uploads', 'drafts'],
  'computed from the mail': [
    ...['conversations', 'message_texts', 'message_structures', 'messages_read_in_part'],
    ...['junk_models'],
  ],
  'told by mailboxes, aliases, domains and invoices': [
    ...['addresses', 'verified_domains', 'invoice_numbers'],
  ],
  'deleted for good, and kept for a while only to be recovered': ['tombstones'],
  'work in progress of the program': [
    ...[
      'idempotency_keys',
      'bulk_changes',
      'domain_alerts',
      'mail_import_chunks',
      'mail_import_faults',
    ],
    ...['missing_proofs', 'outbox_messages', 'payments', 'sends', 'vacation_dues'],
    ...['vacation_answers', 'webhook_lanes'],
  ],
  'keys and secrets': ['certificates', 'invitation_links'],
}

/** What of each table is in the archive of an account, by `user_id`, which is the same in every row. */
export const accountTables: Record<string, Exported> = {
  factor_challenges: {
    columns: 'purpose expires_at',
    without: 'token_hash browser_hash sign_in_by passkey_challenge',
  },
  passkeys: {
    columns: 'name is_synced is_backed_up rp_id created_at last_used_at id',
    without: 'credential_id public_key counter transports',
  },
  recovery_codes: { columns: 'used_at', without: 'code_hash' },
  second_factors: {
    columns: 'totp_since changed_at',
    without: 'totp_sealed totp_last_step pending_sealed pending_at is_program_told is_reset_untold',
  },
  trusted_browsers: {
    columns: 'ip user_agent created_at last_used_at expires_at id',
    without: 'token_hash',
  },
  announcement_dismissals: { columns: 'announcement_id' },
  api_keys: {
    columns:
      'kind name scopes domain_ids mailbox_ids ips workspace_id created_at expires_at last_used_at last_used_ip id',
    without: 'secret_hash ending of_holder member_id',
  },
  app_passwords: {
    columns: 'name mailbox_id workspace_id scopes created_at expires_at id',
    without: 'secret_hash',
  },
  audit_log: {
    columns: 'workspace_id at by_what ip topic action what id',
    without: 'name email object object_after details is_done',
  },
  identities: { columns: 'issuer subject created_at' },
  known_devices: { columns: 'seen_at', without: 'device_hash' },
  mail_exports: {
    columns: 'workspace_id mailbox_id folder_id total written state created_at id',
    without: 'token_hash expires_at',
  },
  mail_links: {
    columns: 'purpose email first_name last_name session_id created_at expires_at used_at',
    without: 'token_hash password_hash browser_hash',
  },
  mailbox_readers: { columns: 'workspace_id mailbox_id origin can_send created_at ends_at' },
  members: { columns: 'workspace_id role created_at' },
  operators: { columns: 'made_by made_at' },
  preferences: {
    columns:
      'time_zone time_format date_format wants_dns_mails undo_seconds writes_plain_text updated_at',
  },
  program_uses: {
    columns: 'workspace_id mailbox_id app_password_id network ip scope program first_at last_at',
    without: 'is_untold',
  },
  saved_views: { columns: 'workspace_id list name query created_at id' },
  sessions: {
    columns: 'created_at expires_at ended_at ip last_used_at last_ip user_agent confirmed_at id',
    without: 'generation token_hash spent_at',
  },
  workspace_exports: {
    columns: 'workspace_id asked_by created_at ended_at state messages size_bytes id',
    without: 'token_hash token_expires_at written claimed_until tries reason expires_at',
  },
}

export const wordsOf = (text = ''): string[] => text.split(' ').filter((word) => word !== '')

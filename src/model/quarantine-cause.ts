/** Why all documents that wait are held: each cause has its words in locales/. */
import type { QUARANTINE_CAUSE } from '../i18n/messages/ledger-messages.ts';

export type QuarantineCause = keyof typeof QUARANTINE_CAUSE;

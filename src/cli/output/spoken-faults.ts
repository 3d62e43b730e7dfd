/** What a ledger holds, its faults in the language of today's settings; receipts keep the words of their time. */
import type { Language } from '../../i18n/message.ts';
import { type Fault, localize } from '../../model/fault.ts';

export function spokenIn<T extends { readonly faults: readonly Fault[] }>(recorded: T, language: Language): T {
  return { ...recorded, faults: localize(recorded.faults, language) };
}

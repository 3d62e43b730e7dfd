/**
 * Recorded faults in the current language of the settings; receipts keep the words of the time when they were written.
 */
import type { Language } from '../../i18n/message.ts';
import { type Fault, localize } from '../../model/fault.ts';

/** A copy whose faults have the words of `language`; a fault without a message id keeps its recorded words. */
export function spokenIn<T extends { readonly faults: readonly Fault[] }>(recorded: T, language: Language): T {
  return { ...recorded, faults: localize(recorded.faults, language) };
}

/**
 * Warns where the number of a document belongs to a document of another class already: the tax authority
 * takes a number once per issuer and year, whatever the class (DGFiP G1.42), while the ledger keeps an invoice and a credit
 * note with one number apart. Both may be right, so this only warns.
 */

import type { Statements } from '../../database/database-driver.ts';
import { NUMBER_IN_OTHER_CLASS } from '../../i18n/messages/ledger-messages.ts';
import type { Document } from '../../model/document.ts';
import { type Fault, withMessage } from '../../model/fault.ts';
import { findKeyOwner } from './find-key-owner.ts';

const NONE: readonly Fault[] = [];

/** `keys` are those that the document has with its number; `own` is its entry, if it has one. */
export async function findNumberInOtherClass(
  sql: Statements,
  { class: documentClass, otherClasses }: Pick<Document, 'class' | 'otherClasses'>,
  keys: readonly string[],
  own?: string,
): Promise<readonly Fault[]> {
  if (otherClasses === undefined) return NONE;
  const found: Fault[] = [];
  for (const other of otherClasses) {
    const key = keyUnderClass(keys, documentClass, other);
    if (key === undefined) continue;
    const owner = await findKeyOwner(sql, key);
    if (!owner || owner.isFree || owner.entry === own) continue;
    const { class: ownerClass, name, state } = owner;
    found.push({
      code: 'ledger/number-of-another-class',
      level: 'warning',
      ...withMessage(NUMBER_IN_OTHER_CLASS.message({ class: ownerClass, name, state }), NUMBER_IN_OTHER_CLASS.hint()),
    });
  }
  return found;
}

/** The document's own key, `service|issuer|class|...`, as it would be under another class. */
function keyUnderClass(keys: readonly string[], documentClass: string, other: string): string | undefined {
  const part = `|${documentClass}|`;
  const own = keys.find((key) => key.includes(part));
  return own?.replace(part, () => `|${other}|`);
}

/**
 * The rules of Salvadoran remission notes, in the order of the document, which is the order of faults in receipts. The
 * pack is made under the profile `wire`; settings select another one with `under`.
 */
import type { RulePack } from '../../../model/rule.ts';
import { rulePack } from '../rule-pack.ts';
import { viewNote } from '../views/note-view.ts';
import { svAddressRules } from './sv-address-rules.ts';
import { documentRules } from './sv-document-rules.ts';
import { identityRules } from './sv-identity-rules.ts';
import { itemAmountRules } from './sv-item-amount-rules.ts';
import { itemRules } from './sv-item-rules.ts';
import { svPartyRules } from './sv-party-rules.ts';
import { summaryRules } from './sv-summary-rules.ts';
import { variantRules } from './sv-variant-rules.ts';

/** Rules report in this order. */
export const svRemissionNoteRules: RulePack = rulePack(viewNote, [
  ...identityRules,
  ...svPartyRules,
  ...svAddressRules,
  ...itemRules,
  ...itemAmountRules,
  ...summaryRules,
  ...variantRules,
  ...documentRules,
]);

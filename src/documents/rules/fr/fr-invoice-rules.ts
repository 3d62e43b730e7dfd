/**
 * The rules of French invoices, credit notes and correctives, in the order of the document. The pack is made under the
 * profile `wire`; settings select another one with `under`.
 */
import type { RulePack } from '../../../model/rule.ts';
import { rulePack } from '../rule-pack.ts';
import { viewInvoice } from '../views/invoice-view.ts';
import { exemptionRules } from './fr-exemption-rules.ts';
import { furtherAmountRules } from './fr-further-amount-rules.ts';
import { headerRules } from './fr-header-rules.ts';
import { lineRules } from './fr-line-rules.ts';
import { meansRules } from './fr-means-rules.ts';
import { frPartyRules } from './fr-party-rules.ts';
import { placeRules } from './fr-place-rules.ts';
import { portalRules } from './fr-portal-rules.ts';
import { referenceRules } from './fr-reference-rules.ts';
import { statedRules } from './fr-stated-rules.ts';
import { territoryRules } from './fr-territory-rules.ts';
import { totalPartRules } from './fr-total-part-rules.ts';
import { totalRules } from './fr-total-rules.ts';
import { treatmentRules } from './fr-treatment-rules.ts';
import { vatRules } from './fr-vat-rules.ts';

/** Rules report in this order. */
export const frInvoiceRules: RulePack = rulePack(viewInvoice, [
  ...headerRules,
  ...frPartyRules,
  ...referenceRules,
  ...lineRules,
  ...vatRules,
  ...treatmentRules,
  ...territoryRules,
  ...exemptionRules,
  ...totalPartRules,
  ...totalRules,
  ...statedRules,
  ...furtherAmountRules,
  ...meansRules,
  ...placeRules,
  ...portalRules,
]);

/**
 * Rules of `run.hold`: documents that a person has to look at before they are sent, checked at admission. Outcomes go
 * in and come out, held ones with the reason. Each document is compared with the ones sent before, so a fact that the
 * first file of a night finds unknown is unknown to its other files too. Errors of the ledger pass to the caller.
 */

import { decimalText, type Language, type Message } from '../../i18n/message.ts';
import { QUARANTINE_CAUSE } from '../../i18n/messages/ledger-messages.ts';
import { HOLD } from '../../i18n/messages/pipeline-messages.ts';
import type { Holds, SeenQuery } from '../../ledger/contract/close-file.ts';
import type { Quarantine, ShownNumbers } from '../../ledger/contract/intake-store.ts';
import { Decimal } from '../../model/decimal.ts';
import { type Document, type DocumentOutcome, detailsOf, type HoldRule } from '../../model/document.ts';
import type { MappingStamp, SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { holdOf } from '../../model/recorded-words.ts';
import { type PurgedIdentities, readPurgedIdentities } from '../context/purged-identities.ts';
import type { RunContext } from '../context/run-context.ts';

type Checked = Pick<Document, 'keys' | 'facts' | 'service'>;
type Rule = (document: Checked, hasSeen: Asks) => Promise<Message | undefined>;

/** An export whose documents were not read before. */
type Export = Pick<SourceFile, 'claimedAt' | 'sha256'>;

/**
 * A function for the outcomes of one file under one mapping. If several files are closed together, each is asked about
 * in its turn: `hasSeen` then includes what those before it have left.
 */
export function holdRules(
  { ledger, instance }: Pick<RunContext, 'ledger' | 'instance'>,
  mapping: MappingStamp,
): (outcomes: readonly DocumentOutcome[], file?: Export, hasSeen?: Asks) => ReturnType<Holds> {
  const settings = instance.settings.run.hold;
  const { language } = instance.settings.rules;
  const asked = new Map<string, Promise<boolean>>();
  const askLedger: Asks = (what) => {
    const question = JSON.stringify(what);
    const known = asked.get(question) ?? ledger.intake.hasSeen(what);
    asked.set(question, known);
    return known;
  };
  const rules: (readonly [HoldRule, Rule])[] = [];
  if (settings['new-mapping']) {
    const { id, version, sha256 } = mapping;
    rules.push([
      'new-mapping',
      async (_, hasSeen) =>
        (await hasSeen({ of: 'mapping', id, sha256 })) ? undefined : HOLD.newMapping({ version, mapping: id }),
    ]);
  }
  if (settings['new-issuer']) rules.push(['new-issuer', newIssuer]);
  const limits = new Map(
    Object.entries(settings.over).map(([currency, text]) => [
      currency,
      must(Decimal.parse(text), 'the amount of a setting'),
    ]),
  );
  if (limits.size > 0) rules.push(['amount-over', async ({ facts }) => amountOver(facts, limits)]);
  if (settings['unknown-receiver']) rules.push(['unknown-receiver', unknownReceiver]);
  const quarantine = ledger.intake.quarantine();
  // Awaited with the first outcomes, which may never come: until then a rejection must not end the program.
  quarantine.catch(() => undefined);
  const replaced = ledger.intake.replacedAt();
  replaced.catch(() => undefined);
  const shown = ledger.intake.shownNumbers();
  shown.catch(() => undefined);
  return async (outcomes, file, hasSeen = askLedger) => {
    const before = await replaced;
    const unknown =
      restored(await quarantine) ??
      underWay(before, file) ??
      lost({ ledger, folder: instance.folder, shown: await shown }, before, file);
    if (unknown.length + rules.length === 0) return outcomes;
    // What is refused now may have been sent by a ledger of before as well.
    const of = (outcome: DocumentOutcome) => ('document' in outcome ? [...unknown, ...rules] : unknown);
    return await Promise.all(outcomes.map((outcome) => heldBy(of(outcome), outcome, hasSeen, language)));
  };
}

function restored(quarantine: Quarantine | undefined): readonly (readonly [HoldRule, Rule])[] | undefined {
  if (!quarantine) return undefined;
  const { why, at } = quarantine;
  return [['restored', async () => HOLD.restored({ why: QUARANTINE_CAUSE[why](), at })]];
}

/** The ledger before may have sent documents of an export that it had taken, and this one does not know of it. */
function underWay(
  replacedAt: string | undefined,
  file: Export | undefined,
): readonly (readonly [HoldRule, Rule])[] | undefined {
  if (replacedAt === undefined || file === undefined || file.claimedAt > replacedAt) return undefined;
  return [['restored', async () => HOLD.underWay({ at: replacedAt })]];
}

/** Read once for each ledger that is opened. */
const forgotten = new WeakMap<object, PurgedIdentities | undefined>();

/** Of what a purge has removed, a ledger that replaces the one of then knows the identities alone; of what it has refused, the bytes; of some, the number in a summary. */
function lost(
  { ledger, folder, shown }: { readonly ledger: object; readonly folder: string; readonly shown: ShownNumbers },
  replacedAt: string | undefined,
  file: Export | undefined,
): readonly (readonly [HoldRule, Rule])[] {
  if (replacedAt === undefined) return [];
  const rules: (readonly [HoldRule, Rule])[] = [];
  if (!forgotten.has(ledger)) forgotten.set(ledger, readPurgedIdentities(folder));
  const identities = forgotten.get(ledger);
  const purged = HOLD.purged({ at: replacedAt });
  if (identities) rules.push(['restored', async ({ keys }) => (keys.some(identities.has) ? purged : undefined)]);
  const refused = HOLD.underWay({ at: replacedAt });
  const numbered = HOLD.numberShown({ at: replacedAt });
  rules.push(['restored', async ({ facts }) => (shown(facts.identifier) ? numbered : undefined)]);
  const isRefused = (hasSeen: Asks, { sha256 }: Export) => hasSeen({ of: 'refusal', sha256 });
  if (file) rules.push(['restored', async (_, hasSeen) => ((await isRefused(hasSeen, file)) ? refused : undefined)]);
  return rules;
}

/** The first rule that applies names the hold; the reasons of all are in its text. */
async function heldBy(
  rules: readonly (readonly [HoldRule, Rule])[],
  outcome: DocumentOutcome,
  hasSeen: Asks,
  language: Language,
): Promise<DocumentOutcome> {
  const found: { readonly rule: HoldRule; readonly says: Message }[] = [];
  for (const [rule, find] of rules) {
    const says = await find(detailsOf(outcome), hasSeen);
    if (says !== undefined) found.push({ rule, says });
  }
  const [first, ...others] = found;
  if (!first) return outcome;
  const all = others.reduce((one, { says: other }) => HOLD.and({ one, other }), first.says);
  return { ...outcome, hold: holdOf(first.rule, all, language) };
}

function amountOver(
  { amount, currency }: Document['facts'],
  limits: ReadonlyMap<string, Decimal>,
): Message | undefined {
  const limit = limits.get(currency ?? '');
  const value = Decimal.parse(amount ?? '');
  if (!limit || !value || value.abs().compare(limit) <= 0) return undefined;
  return HOLD.amount({
    amount: decimalText(amount ?? ''),
    currency: currency ?? '',
    limit: decimalText(limit.toText(2)),
  });
}

async function unknownReceiver({ service, facts }: Checked, hasSeen: Asks): Promise<Message | undefined> {
  const { receiver, counterparty = receiver } = facts;
  // Reports have no receiver.
  if (receiver === undefined || (await hasSeen({ of: 'receiver', service, receiver }))) return undefined;
  return HOLD.receiver({ name: counterparty ?? receiver, receiver });
}

/** In a ledger that has sent nothing yet every issuer is new: the first night is not held. */
async function newIssuer({ service, keys, facts }: Checked, hasSeen: Asks): Promise<Message | undefined> {
  const issuer = issuerIn(keys[0] ?? '', service);
  if (issuer === undefined || !(await hasSeen({ of: 'issuer', service }))) return undefined;
  if (await hasSeen({ of: 'issuer', service, issuer })) return undefined;
  return HOLD.issuer({ name: facts.issuer ?? issuer, issuer });
}

type Asks = (what: SeenQuery) => Promise<boolean>;

/** The issuer in a key `service|issuer|class|...`, where bars inside of a value are escaped. */
function issuerIn(key: string, service: string): string | undefined {
  const parts = /^([^|]*)\|((?:\\.|[^|\\])*)\|/.exec(key);
  return parts?.[1] === service ? parts[2] : undefined;
}

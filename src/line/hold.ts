/**
 * Documents that a person has to look at before they go out: the rules of `run.hold`, asked at admission.
 *
 * Each compares a document with what has gone its way before, so what the first file of a night finds unknown its other
 * files find unknown too: nothing becomes known by waiting.
 */
import type { Known, Quarantine } from '../ledger/ledger.ts';
import { Decimal } from '../model/decimal.ts';
import type { Document, Hold, HoldRule, Outcome } from '../model/document.ts';
import type { MappingStamp } from '../model/entry.ts';
import type { Work } from './work.ts';

type Rule = (document: Document) => Promise<string | undefined>;

/** The outcomes of one file under one mapping, with the reason where a rule holds them. */
export function holdRules(
  { ledger, instance }: Pick<Work, 'ledger' | 'instance'>,
  mapping: MappingStamp,
): (outcomes: readonly Outcome[]) => Promise<readonly Outcome[]> {
  const settings = instance.settings.run.hold;
  const asked = new Map<string, Promise<boolean>>();
  const knows = (what: Known) => {
    const question = JSON.stringify(what);
    const known = asked.get(question) ?? ledger.knows(what);
    asked.set(question, known);
    return known;
  };
  const rules: (readonly [HoldRule, Rule])[] = [];
  if (settings['new-mapping']) {
    const { id, version, sha256 } = mapping;
    rules.push([
      'new-mapping',
      async () =>
        (await knows({ of: 'mapping', id, sha256 }))
          ? undefined
          : `nobody has released a document of version ${version} of the mapping ${id} yet`,
    ]);
  }
  if (settings['new-issuer']) rules.push(['new-issuer', (document) => newIssuer(document, knows)]);
  const limits = new Map(Object.entries(settings.over).map(([currency, text]) => [currency, Decimal.parse(text)!]));
  if (limits.size > 0) rules.push(['amount-over', async ({ facts }) => amountOver(facts, limits)]);
  if (settings['unknown-receiver']) {
    rules.push(['unknown-receiver', (document) => unknownReceiver(document, knows)]);
  }
  const quarantine = ledger.quarantine();
  // Heard where the first outcomes come, which may be never.
  quarantine.catch(() => undefined);
  return async (outcomes) => {
    const all = [...restored(await quarantine), ...rules];
    return all.length === 0 ? outcomes : await Promise.all(outcomes.map((outcome) => heldBy(all, outcome)));
  };
}

function restored(quarantine: Quarantine | undefined): readonly (readonly [HoldRule, Rule])[] {
  if (!quarantine) return [];
  const says = `the ledger was ${quarantine.why} on ${quarantine.at} and may not know all that was sent; a person has to end its quarantine`;
  return [['restored', async () => says]];
}

/** The first rule gives its name; the sentences of all of them are told at once. */
async function heldBy(rules: readonly (readonly [HoldRule, Rule])[], outcome: Outcome): Promise<Outcome> {
  if (!('document' in outcome)) return outcome;
  const found: Hold[] = [];
  for (const [rule, find] of rules) {
    const says = await find(outcome.document);
    if (says !== undefined) found.push({ rule, says });
  }
  const [first] = found;
  return first ? { ...outcome, hold: { rule: first.rule, says: found.map(({ says }) => says).join('; ') } } : outcome;
}

function amountOver({ amount, currency }: Document['facts'], limits: ReadonlyMap<string, Decimal>): string | undefined {
  const limit = limits.get(currency ?? '');
  const value = Decimal.parse(amount ?? '');
  if (!limit || !value || value.abs().compare(limit) <= 0) return undefined;
  return `its amount of ${amount} ${currency} is over the limit of ${limit.toText(2)} ${currency}`;
}

async function unknownReceiver({ service, facts }: Document, knows: Asks): Promise<string | undefined> {
  const { receiver, counterparty = receiver } = facts;
  // Reports have no receiver.
  if (receiver === undefined || (await knows({ of: 'receiver', service, receiver }))) return undefined;
  return `no document was ever authorized for the receiver ${counterparty} (${receiver})`;
}

/** In a ledger that has sent nothing yet every issuer is new: the first night is not held. */
async function newIssuer({ service, keys, facts }: Document, knows: Asks): Promise<string | undefined> {
  const issuer = issuerIn(keys[0] ?? '', service);
  if (issuer === undefined || !(await knows({ of: 'issuer', service }))) return undefined;
  if (await knows({ of: 'issuer', service, issuer })) return undefined;
  return `nothing was ever sent for the issuer ${facts.issuer ?? issuer} (${issuer})`;
}

type Asks = (what: Known) => Promise<boolean>;

/** As it stands in the key `service|issuer|class|...`, bars inside of it escaped. */
function issuerIn(key: string, service: string): string | undefined {
  const parts = /^([^|]*)\|((?:\\.|[^|\\])*)\|/.exec(key);
  return parts?.[1] === service ? parts[2] : undefined;
}

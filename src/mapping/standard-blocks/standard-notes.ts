/**
 * `notes: { standard: {} }`: the three mentions that French law requires on an invoice between companies, once each.
 *
 * Recovery fee of 40 EUR: Code de commerce L441-9 and D441-5; a bare reference to the law is not enough, so the amount
 * stands in the text. An override that is empty for a document gives way to the ready-made text: the mention stays.
 */
import type { Message } from '../../i18n/message.ts';
import { STANDARD_BLOCKS } from '../../i18n/messages/mapping-messages.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import { isLookup } from '../expressions/value-expression.ts';
import type { Diagnostics } from '../runtime/diagnostics.ts';
import { asOperand, isBlock, ReadyMade, refuseUnknown } from './standard-block-values.ts';

const TEXTS: { readonly [tag: string]: string } = {
  'fixed-recovery-fee': 'Indemnité forfaitaire pour frais de recouvrement en cas de retard de paiement : 40 EUR',
  'late-payment-penalty': "Pénalités de retard au taux de trois fois le taux d'intérêt légal",
  'no-early-payment-discount': "Les règlements reçus avant la date d'échéance ne donneront pas lieu à escompte",
};

export const NOTES_KEYS = Object.keys(TEXTS);

/** The entries of the list; `neighbors` are those that the mapping writes next to them. */
export function standardNotes(
  findings: Diagnostics,
  { standard, ...others }: { readonly standard?: unknown; readonly when?: unknown },
  path: YamlPath,
  neighbors: readonly unknown[] = [],
): readonly ReadyMade[] {
  const at = [...path, 'standard'];
  const refuse = (message: Message, hint?: Message) => findings.add(at, { code: 'map/wrong-value', message, hint });
  if (!isBlock(standard) || Object.keys(others).some((key) => key !== 'when')) {
    refuse(STANDARD_BLOCKS.notesForm(), STANDARD_BLOCKS.tags({ tags: NOTES_KEYS }));
    return [];
  }
  refuseUnknown(findings, standard, NOTES_KEYS, at);
  for (const tag of neighbors.flatMap((other) => (isBlock(other) ? String(other.tag) : []))) {
    if (!NOTES_KEYS.includes(tag)) continue;
    refuse(STANDARD_BLOCKS.noteTwice({ tag }), STANDARD_BLOCKS.writeNote({ tag }));
  }
  return Object.entries(TEXTS).flatMap(([tag, text]) => {
    const content = contentOf(standard[tag], text);
    if (content === undefined) {
      findings.add([...at, tag], { code: 'map/wrong-value', message: STANDARD_BLOCKS.noteContent({ tag }) });
      return [];
    }
    const from = standard[tag] === undefined ? at : [...at, tag];
    return [new ReadyMade({ ...others, tag, content: new ReadyMade(content, from) }, at)];
  });
}

function contentOf(given: unknown, text: string): unknown {
  if (given === undefined) return text;
  if (isLookup(given)) return { default: text, ...(given as object) };
  const operand = asOperand(given);
  if (operand !== undefined) return `= IFEMPTY(${operand}, "${text}")`;
  return typeof given === 'string' && given.trim() !== '' ? given : undefined;
}

/** No-break spaces of French texts: where the build sets them, where it does not, and records from before it did. */
import { expect, test } from 'vitest';
import { withFrenchSpaces } from '../../build/messages.ts';
import { format } from '../../src/i18n/message.ts';
import { ROW_RULE } from '../../src/i18n/messages/pipeline-messages.ts';
import { correctionTally } from '../../src/pipeline/reprocessing/correction-results.ts';

test.each([
  ['Colonne {column} : vide ; corrigez !', 'Colonne {column}_: vide_; corrigez_!'],
  ['{name} : « {value} » ?', '{name}_: «_{value}_»_?'],
  [
    '{count, plural, one {# ligne : non} other {# lignes : non}}',
    '{count, plural, one {# ligne_: non} other {# lignes_: non}}',
  ],
  ['le {at, date, ::yyyyMMdd} :a', 'le {at, date, ::yyyyMMdd} :a'],
  ['à 12:30, http://a.b/c?d=e, rules: { fr: wire }', 'à 12:30, http://a.b/c?d=e, rules: { fr: wire }'],
  ["écrivez '{'fr: off'}' ou a:b", "écrivez '{'fr: off'}' ou a:b"],
])('%s', (text, spaced) => {
  expect(withFrenchSpaces(text)).toBe(spaced.replaceAll('_', '\u00a0'));
});

test('the rule of a corrected row is known in both spellings', () => {
  const now = format(ROW_RULE.unchanged(), 'fr');
  expect(now).toBe('inchangée\u00a0: rien à faire');
  const rules = [now, now.replace('\u00a0', ' ')];
  const leftOut = rules.map((rule, n) => ({ row: n + 2, rule, of: { id: `e${n}`, revision: 1 } }));
  expect(correctionTally({ leftOut, faults: [] })).toMatchObject({ unchanged: 2 });
});

/** Commands that make, check and repair an instance speak the language of its settings. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allMessages, englishIn } from '../catalogue.ts';
import { openScene } from '../night.ts';
import { commandIn } from '../program.ts';

const SAMPLE = join(import.meta.dirname, '../infer/samples/invoices-en-us.csv');

const COMMANDS = [
  ['init'],
  ['demo', '--keep', '.'],
  ['check'],
  ['check', '--effective'],
  ['check', '--fix', '--dry-run'],
  ['check', '--dry-run'],
  ['test'],
  ['test', '--update'],
  ['test', '--dry-run'],
  ['schema'],
  ['schedule', 'cron', '--at', '25:00'],
  ['explain', 'map/not-a-number'],
  ['infer', 'none.csv', '--target', 'fr-invoice'],
  ['infer', SAMPLE],
  ['infer', SAMPLE, '--target', 'fr-invoice', '--out', '../x.yaml'],
  ['infer', SAMPLE, '--target', 'fr-invoice', '--out', 'mappings/new.yaml'],
  ['sandbox', '--script', 'none.yaml'],
  ['--env', 'production', 'sandbox'],
  ['ledger', 'sequences'],
  ['ledger', 'next', 'guias'],
  ['ledger', 'restore'],
  ['ledger', 'end-quarantine'],
  ['ledger', 'end-quarantine', 'test'],
  ['ledger', 'receipts', '--dry-run'],
  ['ledger', 'rebuild'],
];

/** The words of the groups that these commands print. */
const GROUPS = /^(init|demo|check|mapping-test|infer|schema|schedule|sandbox|ledger|sequence|explain)(-|\.)/;

test.each([
  ['fr', ['est prêt|existe déjà', '0 erreur, 0 avertissement', 'Que faire\u00a0:', 'Essai sur l’exemple']],
  ['es', ['ya existe', '0 errores, 0 advertencias', 'Qué hacer:', 'Prueba con el ejemplo']],
] as const)(
  'setting up, checking and repairing an instance prints nothing in English in %s',
  async (language, words) => {
    await using scene = await openScene({ settings: { rules: { fr: 'wire', sv: 'wire', language } } });
    const messages = allMessages().filter(({ id }) => GROUPS.test(id));
    expect(messages.length).toBeGreaterThan(60);
    let all = '';
    for (const args of COMMANDS) {
      const given = args.map((word) => (word === '.' ? scene.root : word));
      const { out, err } = await commandIn(scene, ...given);
      expect(out + err, args.join(' ')).not.toBe('');
      expect(englishIn(out + err, language, messages), `${args.join(' ')}\n${out}${err}`).toBeUndefined();
      all += out + err;
    }
    for (const word of words) expect(all).toMatch(new RegExp(word));
  },
);

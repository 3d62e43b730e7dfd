/** Faults of settings, in the language that the settings name: also where they are too wrong to be opened. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { format } from '../../src/i18n/message.ts';
import { SECRET_FAULT, SETTINGS_FAULT } from '../../src/i18n/messages/settings-messages.ts';
import { openScene } from '../night.ts';
import { commandIn } from '../program.ts';

test.each(['fr', 'es'] as const)('wrong settings are refused in %s', async (language) => {
  await using scene = await openScene({ settings: { rules: { fr: 'fr-2026', sv: 'wire', language } } });
  const path = join(scene.root, 'nightpost.yaml');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, `${text}unknown: 1\n`);
  const { code, err } = await commandIn(scene, 'status');
  expect(code).toBe(2);
  expect(err).toContain(format(SETTINGS_FAULT.invalid({ file: 'nightpost.yaml', count: 1 }), language));
  expect(err).toContain(format(SETTINGS_FAULT.correct(), language));
  writeFileSync(
    path,
    text.replace(`language: ${language}`, `language: ${language}\n  severity: { NO-1: { level: off, reason: x } }`),
  );
  expect((await commandIn(scene, 'status')).err).toContain(format(SETTINGS_FAULT.noRule({ rule: 'NO-1' }), language));
});

test('a secret that is not there is said in Spanish', async () => {
  await using scene = await openScene({
    settings: { rules: { fr: 'fr-2026', sv: 'wire', language: 'es' } },
    services: { fr: { 'client-secret': { file: 'key' } } },
  });
  const { out } = await commandIn(scene, 'doctor', '--offline');
  expect(out).toContain(format(SECRET_FAULT.noFile({ name: '{ file: key }' }), 'es').slice(0, 30));
});

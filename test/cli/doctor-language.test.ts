/** `doctor` and the ledger's refusal to send, in the language of the settings. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { format } from '../../src/i18n/message.ts';
import { SEND_GUARD } from '../../src/i18n/messages/send-guard-messages.ts';
import { allMessages, englishIn } from '../catalogue.ts';
import { openScene } from '../night.ts';
import { commandIn } from '../program.ts';

type Line = { readonly what: string; readonly says: string; readonly hint?: string };

test.each(['fr', 'es'] as const)('doctor speaks %s; the names of its checks in JSON stay', async (language) => {
  await using scene = await openScene({ settings: { rules: { fr: 'fr-2026', sv: 'wire', language } } });
  rmSync(join(scene.root, 'state/installation.json'));
  const lines = JSON.parse((await commandIn(scene, 'doctor', '--json')).out) as Line[];
  expect(lines.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['clock', 'disk', 'ledger', 'service fr, credentials']),
  );
  const messages = allMessages();
  for (const { says, hint = '' } of lines) {
    for (const text of [says, hint]) expect(englishIn(text, language, messages), text).toBeUndefined();
  }
  const shown = (await commandIn(scene, 'doctor', '--offline')).out;
  expect(shown).toContain(format(SEND_GUARD.confirm(), language));
  expect(shown).not.toMatch(/\b(clock|writing|warning) /);
});

test('a run that may not send says why in French, and what was not done', async () => {
  await using scene = await openScene({ settings: { rules: { fr: 'fr-2026', sv: 'wire', language: 'fr' } } });
  rmSync(join(scene.root, 'state/installation.json'));
  const { code, err } = await commandIn(scene, 'run');
  expect(code).toBe(2);
  expect(err).toContain('ledger/foreign');
  expect(err).toContain(format(SEND_GUARD.nothingTaken(), 'fr'));
});

/** Who holds the ledger, in words: the program, its machine, and since when as each language writes it. */
import { expect, test } from 'vitest';
import { wordsOf } from '../../src/i18n/message.ts';
import { lockedBy } from '../../src/ledger/installation/instance-lock.ts';

test('a holder on another machine is named with it, and its start has the form of the language', () => {
  const { en, fr, es } = wordsOf(
    lockedBy({ work: 'watch', pid: 41, host: 'the-other-one', since: '2026-11-23T12:17:00Z' }),
  );
  expect(en).toMatch(/since 2026-11-2\d \d\d:\d\d \(process 41 on the-other-one\)\.$/);
  expect(fr).toMatch(/depuis le 2\d\/11\/2026 \d\d:\d\d \(processus 41 sur the-other-one\)\.$/);
  expect(es).toMatch(/desde el 2\d\/11\/2026 \d\d:\d\d \(proceso 41 en the-other-one\)\.$/);
});

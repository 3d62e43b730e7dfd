/** The verdict in each language, for all combinations of what waits: one sentence, with "and" at most once. */
import { describe, expect, test } from 'vitest';
import { format, type Message } from '../../../src/i18n/message.ts';
import { STATUS_CHECK } from '../../../src/i18n/messages/cli-views-messages.ts';
import type { InstanceStatus } from '../../../src/views/queries/instance-status.ts';
import { checkStatus } from '../../../src/views/queries/status-check.ts';
import { verdictOf } from '../../../src/views/queries/verdict.ts';

type Waiting = { readonly missing?: number; readonly documents?: number; readonly files?: number };
const LANGUAGES = ['en', 'fr', 'es'] as const;

function sentences({ missing = 0, documents = 0, files = 0 }: Waiting, more: object = {}): readonly string[] {
  const status = {
    guard: { send: true },
    quarantine: null,
    mappingFaults: [],
    services: [],
    expected: Array.from({ length: missing }, () => ({ state: 'missing' })),
    documents: { invalid: documents },
    closed: {},
    filesRefused: files,
    sourcesMissing: 0,
    answers: { delays: [], fields: [] },
    lastRun: null,
    ...more,
  } as unknown as InstanceStatus;
  const check = checkStatus(status, new Date(0), { maxAgeMs: undefined, time: (at) => at });
  return LANGUAGES.map((language) => format(verdictOf(check).sentence, language));
}

test.each<[Waiting, string, string, string]>([
  [{}, 'Nothing needs action', 'Aucune action n’est requise', 'Nada requiere atención'],
  [{ documents: 1 }, '1 document needs action', '1 document demande une action', '1 documento requiere atención'],
  [
    { files: 2 },
    '2 refused files need action',
    '2 fichiers refusés demandent une action',
    '2 archivos rechazados requieren atención',
  ],
  [
    { documents: 85, files: 1 },
    '85 documents and 1 refused file need action',
    '85 documents et 1 fichier refusé demandent une action',
    '85 documentos y 1 archivo rechazado requieren atención',
  ],
  [{ missing: 1 }, '1 expected export is missing', 'Il manque 1 export attendu', 'Falta 1 exportación esperada'],
  [
    { missing: 2, documents: 85 },
    '2 expected exports are missing and 85 documents need action',
    'Il manque 2 exports attendus et 85 documents demandent une action',
    'Faltan 2 exportaciones esperadas y 85 documentos requieren atención',
  ],
  [
    { missing: 1, files: 1 },
    '1 expected export is missing and 1 refused file needs action',
    'Il manque 1 export attendu et 1 fichier refusé demande une action',
    'Falta 1 exportación esperada y 1 archivo rechazado requiere atención',
  ],
  [
    { missing: 1, documents: 85, files: 1 },
    '1 expected export is missing, 85 documents need action, and 1 file was refused',
    'Il manque 1 export attendu, 85 documents demandent une action et 1 fichier a été refusé',
    'Falta 1 exportación esperada, 85 documentos requieren atención y 1 archivo fue rechazado',
  ],
])('%j', (waiting, ...expected) => {
  expect(sentences(waiting)).toEqual(expected);
});

describe('with all other reasons, any of them', () => {
  const MORE = {
    guard: { guard: { send: false, code: 'guard/copied' } },
    quarantine: { quarantine: { since: '' } },
    mappings: { mappingFaults: [{}] },
    services: { services: [{ service: 'fr', pause: { cause: 'foreign-echo' } }] },
    sources: { sourcesMissing: 3 },
    answers: { answers: { delays: [{}], fields: [] } },
    run: { lastRun: { outcome: 'died', startedAt: '02:33' } },
  };
  const AND = { en: / and /g, fr: / et /g, es: / [ye] /g };

  test.each(Object.entries(MORE))('%s', (_, more) => {
    for (const missing of [0, 1]) {
      for (const documents of [0, 2]) {
        for (const files of [0, 1]) {
          const found = sentences({ missing, documents, files }, more);
          for (const [n, language] of LANGUAGES.entries()) {
            const parts = 1 + missing + (documents > 0 ? 1 : 0) + files;
            const sentence = found[n]!;
            expect(sentence.match(AND[language])?.length ?? 0, sentence).toBe(parts > 1 ? 1 : 0);
            expect(sentence, sentence).not.toMatch(/;/);
          }
        }
      }
    }
  });

  test('no reason but the one for documents and files has an "and" or a comma of its own', () => {
    const values = {
      count: 2,
      start: '02:33',
      error: 'x',
      code: 'x',
      service: 'fr',
      cause: 'x',
      documents: 2,
      files: 2,
    };
    for (const [name, reason] of Object.entries(STATUS_CHECK) as [string, (given: object) => Message][]) {
      if (name === 'documentsAndFiles') continue;
      for (const language of LANGUAGES) {
        const text = format(reason(values), language);
        expect([name, text.match(AND[language]), text.includes(',')]).toEqual([name, null, false]);
      }
    }
  });
});

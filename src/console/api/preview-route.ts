/**
 * POST /preview: what a text of a mapping makes of a file, as the studio shows it. The text is tried in a thread with
 * limits of time and memory; nothing is sent or kept but a sample that was given, for a day.
 */
import { z } from 'zod';
import { keepSample } from '../../authoring/studio-samples.ts';
import { verbatimText } from '../../i18n/message.ts';
import { API_ERROR } from '../../i18n/messages/console/console-api-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import type { StudioSample } from '../../views/preview/studio-tasks.ts';
import { askStudio, endedWords, sampleNamed } from '../screens/mappings/studio-service.ts';
import { findWritten } from '../screens/mappings/written-mapping.ts';
import { notFound, type ScreenContext, ScreenError } from '../server/screen-context.ts';
import { type ApiRoute, apiRoute } from './api-route.ts';
import { FIELD, named, ROW } from './api-shapes.ts';

/** A sample of 8 MiB in Base64, and a text. */
const MOST_BYTES = 13 * 1024 * 1024;

const text = z.string();
const place = z.int().min(1).max(9_999_999);

const TRIED = {
  mapping: text
    .regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/)
    .max(60)
    .describe('id of a mapping; with text, also one that does not exist yet'),
  text: text.min(1).max(1_000_000).optional().describe('what is tried; the text of the mapping as it is by default'),
  document: place.optional().describe('which document of the file, from 1'),
  row: place.optional().describe('the document that has this row of the file'),
};
const SAMPLE = z.strictObject({ name: text.min(1).max(200), content: z.base64() });
const GIVEN = z.union([
  z.strictObject({ ...TRIED, file: text.describe('id of a file that was taken in') }),
  z.strictObject({ ...TRIED, sample: SAMPLE.describe('another file, at most 8 MiB, in Base64') }),
]);

const PROBLEM_OF_PREVIEW = z.strictObject({
  code: text,
  level: z.enum(['error', 'warning']),
  message: text,
  hint: text.optional(),
  at: text.optional(),
  line: z.int().optional().describe('of the text of the mapping'),
  row: z.int().optional(),
  column: text.optional(),
});
const problems = z.array(PROBLEM_OF_PREVIEW);

const MAPPING_PREVIEW = named(
  'MappingPreview',
  z.strictObject({
    findings: problems.describe('of the text'),
    fileProblems: problems.describe('of the file as a whole'),
    number: z.int().describe('place of the document in the file, 0 without one'),
    seen: z
      .strictObject({ documents: z.int(), refused: z.int(), isAll: z.boolean() })
      .describe('documents that were read in the time there was'),
    document: z
      .strictObject({
        identifier: text,
        class: text,
        rows: z.array(ROW),
        fields: z.array(FIELD),
        problems,
        valid: z.boolean(),
      })
      .optional(),
  }),
);

export const previewRoute: ApiRoute = apiRoute({
  method: 'POST',
  path: '/preview',
  right: 'studio',
  says: 'What a mapping, as it is or as a text that is given, makes of a file. Nothing is sent or changed.',
  body: GIVEN,
  mostBytes: MOST_BYTES,
  answers: { 200: MAPPING_PREVIEW },
  answer: async (context, { body }) => {
    const { mapping, document = 1, row } = body;
    const written = findWritten(context, mapping);
    const tried = body.text ?? written?.text;
    if (tried === undefined) throw new ScreenError({ status: 404, message: API_ERROR.noMapping({ id: mapping }) });
    const sample = await sampleOf(context, body);
    const file = written?.file ?? `mappings/${mapping}.yaml`;
    const answer = await askStudio(
      context,
      definedOnly({ do: 'look' as const, text: tried, file, document, row, sample }),
    );
    if ('ended' in answer) {
      if (answer.ended === 'busy') throw new OperatorError('api/busy', endedWords('busy'));
      throw new ScreenError({ status: 422, message: endedWords(answer.ended) });
    }
    if (!answer.look) throw new ScreenError({ status: 422, message: verbatimText(answer.refused?.message ?? '') });
    return answer.look;
  },
});

/** Throws ScreenError 404 for an unknown file, and the OperatorErrors of `keepSample`. */
async function sampleOf(context: ScreenContext, given: z.output<typeof GIVEN>): Promise<StudioSample> {
  if ('sample' in given) {
    const { sample } = given;
    const { name, path } = await keepSample(
      context.instance.folder,
      sample.name,
      Buffer.from(sample.content, 'base64'),
    );
    return { name, path, claimedAt: new Date().toISOString() };
  }
  const { file } = given;
  const found = await sampleNamed(context, file.startsWith('upload:') ? '' : file);
  if (!found) throw notFound();
  return found;
}

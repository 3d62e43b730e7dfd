/**
 * The document that the studio shows becomes a test: its rows a sample of their own, what the mapping makes of them the
 * expectation. Throws OperatorError `tools/no-test` with the reason, and then leaves no file.
 */
import { removeTestSample, type TestSample, withTest, writeTestSample } from '../../../authoring/add-test.ts';
import type { Message } from '../../../i18n/message.ts';
import { STUDIO_TEST } from '../../../i18n/messages/console/console-studio-messages.ts';
import { OperatorError } from '../../../model/fault.ts';
import { leastOf } from '../../../text/long-lists.ts';
import type { StudioResult, StudioSample } from '../../../views/preview/studio-tasks.ts';
import type { ScreenContext } from '../../server/screen-context.ts';
import type { StudioForm } from './studio-page.ts';
import { askStudio, endedWords } from './studio-service.ts';

type Shown = { readonly look?: StudioResult['look']; readonly sample?: StudioSample };

/** `text` has the test, and is saved by the person; `given` is the sample that was written. */
export async function addShownAsTest(
  context: ScreenContext,
  { text, file }: StudioForm,
  { look, sample }: Shown,
): Promise<{ readonly text: string; readonly name: string; readonly given: string }> {
  const { instance } = context;
  const document = look?.document;
  // The look has read the text within its limits of time and memory, so that it can be read here.
  if (!look || !document || !sample) throw refused(STUDIO_TEST.noDocument());
  if (sample.partner) throw refused(STUDIO_TEST.pair());
  const first = look.number === 1 ? document : await firstDocument(context, { text, file, sample });
  const rows = document.rows.map(({ row }) => row);
  const isAlone = look.seen.isAll && look.seen.documents === 1;
  const firstRow = leastOf((first ?? document).rows.map(({ row }) => row));
  const { identifier } = document;
  const written = await writeTestSample(instance, { text, file }, { sample, identifier, rows, firstRow, isAlone });
  try {
    return { ...(await tested(context, { text, file, identifier, written })), given: written.given };
  } catch (error) {
    removeTestSample(instance.folder, written);
    throw error;
  }
}

async function firstDocument(
  context: ScreenContext,
  asked: { readonly text: string; readonly file: string; readonly sample: StudioSample },
) {
  const answer = await askStudio(context, { do: 'look', ...asked, document: 1 });
  return 'ended' in answer ? undefined : answer.look?.document;
}

type Written = {
  readonly text: string;
  readonly file: string;
  readonly identifier: string;
  readonly written: TestSample;
};

/** The sample has to make one document, or none and errors: else its rows do not stand for the document alone. */
async function tested(context: ScreenContext, { text, file, identifier, written: { given } }: Written) {
  const answer = await askStudio(context, { do: 'golden', text, file, given });
  if ('ended' in answer) throw refused(endedWords(answer.ended));
  const { golden } = answer;
  const made = golden?.documents.length ?? 0;
  if (!golden || made > 1 || made + golden.faults.length === 0) throw refused(STUDIO_TEST.notAlone());
  if (made === 1 && golden.faults.length > 0) throw refused(STUDIO_TEST.notAlone());
  const name = identifier === '' ? given : identifier;
  return { name, text: withTest({ place: context.instance, file, text }, { name, given }, golden) };
}

function refused(message: Message): OperatorError {
  return new OperatorError('tools/no-test', message, { hint: STUDIO_TEST.hint() });
}

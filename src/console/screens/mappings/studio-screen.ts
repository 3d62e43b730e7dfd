/**
 * The studio: shows what a written mapping makes of a sample, runs its tests, compares it with the one in use, saves it
 * as a new version. Nothing is sent; nothing is written but the mapping that a person saves, and uploaded samples.
 */
import { type SavedMapping, saveMapping, textHash } from '../../../authoring/save-mapping.ts';
import { findSample, keepSample } from '../../../authoring/studio-samples.ts';
import { STUDIO_PAGE, STUDIO_TEST } from '../../../i18n/messages/console/console-studio-messages.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { OperatorError } from '../../../model/fault.ts';
import type { Markup } from '../../../pages/markup.ts';
import { INFERABLE } from '../../../views/preview/infer-mapping.ts';
import { isInvalid } from '../../../views/preview/studio-tasks.ts';
import type { StudioAnswer } from '../../../views/preview/studio-worker.ts';
import { recentFilesOf } from '../../../views/queries/mapping-overview.ts';
import { archivedVersions, topValue } from '../../../views/queries/mapping-versions.ts';
import { notFound, type Screen, type ScreenContext, seeOther } from '../../server/screen-context.ts';
import type { NoticeOptions } from '../../shell/parts.ts';
import { composePage } from '../compose-page.ts';
import { mappingListPage } from './mapping-list-screen.ts';
import { type StudioForm, type StudioView, studioContent } from './studio-page.ts';
import { refusedNotice } from './studio-parts.ts';
import { archivedSample, askStudio, endedWords, sampleNamed, sentSamples } from './studio-service.ts';
import { addShownAsTest } from './studio-tests.ts';
import { findWritten, writtenMapping } from './written-mapping.ts';

/** Files to choose from, and those of the last month that a comparison reads. */
const CHOICE = 20;
const COMPARED = 60;
const MONTH_MS = 31 * 24 * 3_600_000;

/** The mapping as it is, over the latest file or the one that the address names: `file`, `document` or `row`. */
export const studioScreen: Screen = async (context) => {
  const { ledger, url } = context;
  const { id, file, text } = writtenMapping(context);
  const [latest] = await recentFilesOf(ledger.queries, id, { limit: 1 });
  const sample = url.searchParams.get('file') ?? latest?.id ?? '';
  const row = countOf(url.searchParams.get('row'));
  const document = countOf(url.searchParams.get('document')) ?? 1;
  const form = definedOnly({ id, file, text, base: textHash(text), sample, document, row });
  return await studioPage(context, form, await lookAt(context, form));
};

/** A form of the studio was sent: `do` says what with. */
export const studioAct: Screen = async (context) => {
  const form = await formOf(context);
  if (form instanceof OperatorError) return await failedForm(context, form);
  const asked = String(context.form.get('do') ?? 'look');
  if (asked === 'save') return await save(context, form);
  const looked = await lookAt(context, form);
  if (asked === 'tests') {
    const answer = await askStudio(context, { do: 'tests', text: form.text, file: form.file });
    return await studioPage(context, form, definedOnly({ ...looked, ...partsOf(context, answer), look: looked.look }));
  }
  if (asked === 'add-test') return await studioPage(context, ...(await withShownAsTest(context, form, looked)));
  const since = new Date(Date.now() - MONTH_MS).toISOString();
  const lastMonth = async () => await recentFilesOf(context.ledger.queries, form.id, { limit: COMPARED, since });
  if (asked === 'sent') {
    const samples = await sentSamples(context, await lastMonth());
    const answer = await askStudio(context, { do: 'sent', text: form.text, file: form.file, samples });
    const compared = { ...looked, ...partsOf(context, answer), look: looked.look, comparedWith: 'sent' as const };
    return await studioPage(context, form, definedOnly(compared));
  }
  if (asked === 'compare') {
    const files = await lastMonth();
    const samples = await Promise.all(files.map((one) => archivedSample(context, one)));
    const current = findWritten(context, form.id)?.text ?? '';
    const answer = await askStudio(context, { do: 'compare', text: form.text, file: form.file, current, samples });
    return await studioPage(context, form, definedOnly({ ...looked, ...partsOf(context, answer), look: looked.look }));
  }
  return await studioPage(context, form, looked);
};

/** A sample was uploaded for a new mapping: the draft of it, which nothing has saved yet. */
export const beginMapping: Screen = async (context) => {
  const fields = context.form;
  const id = String(fields.get('id') ?? '');
  const target = String(fields.get('target') ?? '');
  const failed = async (text: string) => await mappingListPage(context, { tone: 'fix', text });
  if (!ID.test(id) || !INFERABLE.includes(target)) return await failed(context.say(STUDIO_PAGE.badId()));
  const file = `mappings/${id}.yaml`;
  if (findWritten(context, id)) return await failed(context.say(STUDIO_PAGE.idTaken({ id })));
  try {
    const bytes = await bytesOf(fields.get('sample'));
    const kept = await keepSample(context.instance.folder, bytes.name, bytes.bytes);
    const sample = { name: kept.name, path: kept.path, claimedAt: new Date().toISOString() };
    const asked = { do: 'infer', text: '', file, sample, bytes: bytes.bytes, target } as const;
    const answer = await askStudio(context, asked);
    if ('ended' in answer) return await failed(context.say(endedWords(answer.ended)));
    const { draft, refused } = answer;
    if (draft === undefined) return await failed([refused?.message, refused?.hint].filter(Boolean).join('. '));
    const form = { id, file, text: draft, base: '', sample: `upload:${kept.key}`, sampleName: kept.name, document: 1 };
    return await studioPage(context, form, await lookAt(context, form));
  } catch (error) {
    if (error instanceof OperatorError) return await failed(refusedNotice(context, error));
    throw error;
  }
};

/** The form with one more test and its result; as it was, with the reason, where none can be added. */
async function withShownAsTest(
  context: ScreenContext,
  form: StudioForm,
  looked: Shown,
): Promise<readonly [StudioForm, Shown]> {
  const { say } = context;
  try {
    const sample = await sampleNamed(context, form.sample);
    const added = await addShownAsTest(context, form, definedOnly({ look: looked.look, sample }));
    const next = { ...form, text: added.text };
    const tested = await askStudio(context, { do: 'tests', text: next.text, file: next.file });
    const done = { tone: 'ok', text: say(STUDIO_TEST.added({ name: added.name, file: added.given })) } as const;
    const shown = { ...(await lookAt(context, next)), ...partsOf(context, tested) };
    return [next, definedOnly({ ...shown, look: looked.look, notices: [done, ...shown.notices] })];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const failure = { tone: 'fix', text: refusedNotice(context, error) } as const;
    return [form, { ...looked, notices: [failure, ...looked.notices] }];
  }
}

type FormDataValue = ReturnType<FormData['get']>;

const ID = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;

type Shown = Omit<StudioView, 'form' | 'files'>;

async function studioPage(context: ScreenContext, form: StudioForm, shown: Shown): Promise<Markup> {
  const files = await recentFilesOf(context.ledger.queries, form.id, { limit: CHOICE });
  const content = studioContent(context, { ...shown, form, files });
  const title = context.say(STUDIO_PAGE.title({ id: form.id }));
  return await composePage(context, { place: 'mappings', title, content });
}

async function lookAt(context: ScreenContext, form: StudioForm): Promise<Shown> {
  const { text, file, document, row } = form;
  const sample = await sampleNamed(context, form.sample);
  return partsOf(
    context,
    await askStudio(context, definedOnly({ do: 'look' as const, text, file, document, row, sample })),
  );
}

/** What the worker made, or why it made nothing. */
function partsOf({ say }: ScreenContext, answer: StudioAnswer): Shown {
  if ('ended' in answer) return { notices: [{ tone: 'support', text: say(endedWords(answer.ended)) }] };
  const { look, tests, comparison, refused } = answer;
  const notices: NoticeOptions[] = [];
  if (refused) notices.push({ tone: 'support', text: [refused.message, refused.hint].filter(Boolean).join('. ') });
  if (!look && answer.findings && isInvalid({ findings: answer.findings })) {
    notices.push({ tone: 'fix', text: say(STUDIO_PAGE.correctFirst()) });
  }
  return definedOnly({ look, tests, comparison, notices });
}

/** The fields that were sent; an OperatorError if the sample with them is refused. */
async function formOf(context: ScreenContext): Promise<StudioForm | OperatorError> {
  const { form: fields, params, instance } = context;
  const id = params.id ?? '';
  const written = findWritten(context, id);
  if (!written && !ID.test(id)) throw notFound();
  const text = textOf(fields.get('text')).replaceAll('\r\n', '\n');
  const document = countOf(fields.get('document')) ?? countOf(fields.get('at')) ?? 1;
  const sample = await uploadedOr(context, textOf(fields.get('sample')));
  if (sample instanceof OperatorError) return sample;
  const sampleName = sample.startsWith('upload:') ? findSample(instance.folder, sample.slice(7))?.name : undefined;
  const base = textOf(fields.get('base'));
  return definedOnly({ id, file: written?.file ?? `mappings/${id}.yaml`, text, base, sample, sampleName, document });
}

function textOf(value: FormDataValue): string {
  return typeof value === 'string' ? value : '';
}

/** The sample that came with the form, else the one that it names. */
async function uploadedOr({ form, instance }: ScreenContext, named: string): Promise<string | OperatorError> {
  const upload = form.get('upload');
  if (!(upload instanceof File) || upload.name === '') return named;
  try {
    const { name, bytes } = await bytesOf(upload);
    return `upload:${(await keepSample(instance.folder, name, bytes)).key}`;
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}

/** The text stays on the page; the sample does not. */
async function failedForm(context: ScreenContext, error: OperatorError): Promise<Markup> {
  context.form.delete('upload');
  const form = await formOf(context);
  if (form instanceof OperatorError) throw form;
  const looked = await lookAt(context, form);
  const failure = { tone: 'fix', text: refusedNotice(context, error) } as const;
  return await studioPage(context, form, { ...looked, notices: [failure, ...looked.notices] });
}

async function bytesOf(value: FormDataValue): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  if (!(value instanceof File)) return { name: '', bytes: new Uint8Array() };
  return { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) };
}

function countOf(value: FormDataValue): number | undefined {
  return typeof value === 'string' && /^[1-9]\d{0,6}$/.test(value) ? Number(value) : undefined;
}

/** Tests run first, in the worker, which also shows that the text can be read within the limits. */
async function save(context: ScreenContext, form: StudioForm): Promise<Markup | Response> {
  const { instance, say } = context;
  const tested = await askStudio(context, { do: 'tests', text: form.text, file: form.file });
  const failed =
    'ended' in tested ? 0 : (tested.tests ?? []).filter(({ differences }) => differences.length > 0).length;
  const isBlocked =
    'ended' in tested || tested.refused || (tested.findings && isInvalid({ findings: tested.findings }));
  const mayInsist = failed > 0 && context.form.get('although') !== 'yes';
  if (isBlocked || mayInsist) {
    const looked = await lookAt(context, form);
    const refusal = {
      tone: 'fix',
      text: say(mayInsist ? STUDIO_PAGE.testsFail({ count: failed }) : STUDIO_PAGE.notSaved()),
    };
    const notices = [refusal as NoticeOptions, ...partsOf(context, tested).notices, ...looked.notices];
    return await studioPage(
      context,
      form,
      definedOnly({ ...looked, ...partsOf(context, tested), look: looked.look, notices, mayInsist }),
    );
  }
  try {
    // A person may have given it another id.
    const made = await archivedVersions(instance, { id: topValue(form.text, 'mapping') });
    const used = made.map(({ version }) => version);
    const saved = await saveMapping(instance, { ...form, used });
    recordSaved(context, form, saved);
    return seeOther(context, `/mappings/${encodeURIComponent(saved.id)}?saved=${encodeURIComponent(saved.version)}`);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const looked = await lookAt(context, form);
    const failure = { tone: 'support', text: refusedNotice(context, error) } as const;
    return await studioPage(context, form, { ...looked, notices: [failure, ...looked.notices] });
  }
}

function recordSaved(context: ScreenContext, { file }: StudioForm, { id, version, before, text }: SavedMapping): void {
  context.record('mapping-saved', { mapping: id, file, version, before, sha256: textHash(text) });
}

/** The list of mappings with their use, and the form that begins a new one with a sample. */
import { MAPPING_LIST } from '../../../i18n/messages/console/console-studio-messages.ts';
import { mappingTexts } from '../../../instance/instance.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { localTime } from '../../../text/local-time.ts';
import { INFERABLE } from '../../../views/preview/infer-mapping.ts';
import { type MappingUse, mappingUses } from '../../../views/queries/mapping-overview.ts';
import { topValue } from '../../../views/queries/mapping-versions.ts';
import { groupDigits } from '../../../views/wording/amount-texts.ts';
import type { Screen, ScreenContext } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { card, codeCell, type NoticeOptions, notice, pageHeading } from '../../shell/parts.ts';
import { pill } from '../../shell/tones.ts';
import { composePage } from '../compose-page.ts';
import { problemList, refusedNotice } from './studio-parts.ts';
import { testResultOf } from './studio-service.ts';

export const mappingListScreen: Screen = async (context) => await mappingListPage(context);

/** `failed`: why the sample that was just sent gives no draft. */
export async function mappingListPage(context: ScreenContext, failed?: NoticeOptions): Promise<Markup> {
  const { instance, ledger, say } = context;
  const uses = await mappingUses({ instance, ledger, index: await context.index() });
  const broken = instance.unusable;
  const content = markup`<div class="stack">
${pageHeading({ title: say(MAPPING_LIST.title()), about: say(MAPPING_LIST.about({ count: uses.length })) })}
${failed && notice(failed)}
${broken && notice({ tone: 'support', text: refusedNotice(context, broken) })}
${broken && problemList(broken.faults, context, (file) => hrefOfFile(context, file))}
<section class="card">${mappingTable(context, uses)}</section>
${context.may('studio') ? newMapping(context) : undefined}</div>`;
  return await composePage(context, { place: 'mappings', title: say(MAPPING_LIST.title()), content });
}

/** The page of the mapping in a file, also of one with errors. */
function hrefOfFile({ instance, base }: ScreenContext, file: string): string | undefined {
  const id = topValue(mappingTexts(instance.folder).get(file) ?? '', 'mapping');
  return id === '' ? undefined : `${base}/mappings/${encodeURIComponent(id)}`;
}

function mappingTable(context: ScreenContext, uses: readonly MappingUse[]): Markup {
  const { say, base, locale, language } = context;
  const columns = MAPPING_LIST;
  return dataTable<MappingUse>(
    {
      caption: say(MAPPING_LIST.title()),
      rows: uses,
      empty: say(MAPPING_LIST.none()),
      hrefOf: ({ mapping }) => `${base}/mappings/${encodeURIComponent(mapping.id)}`,
      columns: [
        { title: say(columns.id()), isName: true, cell: ({ mapping }) => mapping.id },
        { title: say(columns.version()), cell: ({ mapping }) => mapping.version },
        { title: say(columns.target()), cell: ({ mapping }) => mapping.target },
        { title: say(columns.files()), cell: ({ mapping }) => markup`${mapping.accepts.files.map(codeCell)}` },
        { title: say(columns.tests()), cell: (use) => testsCell(context, use) },
        {
          title: say(columns.lastUsed()),
          cell: ({ last }) => (last ? localTime(last.claimedAt, locale) : say(columns.never())),
        },
        { title: say(columns.failing()), isNumber: true, cell: (use) => failingCell(context, use, language) },
        {
          title: say(columns.proposals()),
          isNumber: true,
          cell: ({ proposals }) => (proposals.length === 0 ? '–' : String(proposals.length)),
        },
      ],
    },
    say,
  );
}

function testsCell({ say }: ScreenContext, { mapping }: MappingUse): Markup | string {
  const result = testResultOf(mapping.sha256);
  if (!result) return say(MAPPING_LIST.testCount({ count: mapping.tests.length }));
  const failed = result.filter(({ differences }) => differences.length > 0).length;
  return failed === 0
    ? pill({ tone: 'ok', text: say(MAPPING_LIST.testsPass({ count: result.length })) })
    : pill({ tone: 'fix', text: say(MAPPING_LIST.testsFail({ failed, count: result.length })) });
}

function failingCell({ base, leadsTo }: ScreenContext, { mapping, failing }: MappingUse, language: 'en' | 'fr' | 'es') {
  const shown = groupDigits(String(failing), language);
  if (failing === 0) return '–';
  const href = `${base}/work?${new URLSearchParams({ mapping: mapping.id })}`;
  return leadsTo('/work') ? markup`<a href="${href}">${shown}</a>` : shown;
}

/** A draft is made of the sample; nothing is written before it is saved. */
function newMapping({ say, base, csrf }: ScreenContext): Markup {
  const targets = INFERABLE.map((target) => markup`<option value="${target}">${target}</option>`);
  return card({
    id: 'new',
    title: say(MAPPING_LIST.begin()),
    body: markup`<form class="act" method="post" enctype="multipart/form-data" action="${base}/mappings">
<input type="hidden" name="csrf" value="${csrf}"><p class="does">${say(MAPPING_LIST.beginDoes())}</p>
<div class="act-fields"><p class="field"><label for="new-sample">${say(MAPPING_LIST.sample())}</label><input id="new-sample" type="file" name="sample" required></p>
<p class="field"><label for="new-id">${say(MAPPING_LIST.id())}</label><input id="new-id" type="text" name="id" required pattern="[a-z0-9](?:[a-z0-9\\-]*[a-z0-9])?" maxlength="60" autocomplete="off" placeholder="sage-invoices"></p>
<p class="field"><label for="new-target">${say(MAPPING_LIST.target())}</label><select id="new-target" name="target">${targets}</select></p></div>
<p class="act-buttons"><button class="button primary" type="submit">${say(MAPPING_LIST.draft())}</button></p></form>`,
  });
}

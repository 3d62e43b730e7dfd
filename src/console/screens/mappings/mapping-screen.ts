/** One mapping: its text with what is wrong on each line, its tests on request, proposals, and earlier versions. */
import { MAPPING_LIST, MAPPING_PAGE, STUDIO_TEXT } from '../../../i18n/messages/console/console-studio-messages.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { lineDifference } from '../../../text/line-difference.ts';
import { localTime } from '../../../text/local-time.ts';
import { mappingProposals } from '../../../views/queries/mapping-proposals.ts';
import { type ArchivedVersion, archivedVersions } from '../../../views/queries/mapping-versions.ts';
import type { Screen, ScreenContext } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { card, notice, pageHeading } from '../../shell/parts.ts';
import { pill } from '../../shell/tones.ts';
import { composePage } from '../compose-page.ts';
import { differenceLines, problems, testList, textLines } from './studio-parts.ts';
import { askStudio, endedWords, rememberTests, testResultOf } from './studio-service.ts';
import { type WrittenMapping, writtenMapping } from './written-mapping.ts';

export const mappingScreen: Screen = async (context) => {
  const { say, base, url } = context;
  const written = writtenMapping(context);
  const { id, text, version } = written;
  const own = `${base}/mappings/${encodeURIComponent(id)}`;
  const found = await askStudio(context, { do: 'look', text, file: written.file, document: 1 });
  const findings = 'ended' in found ? [] : (found.look?.findings ?? []);
  const errors = findings.filter(({ level }) => level === 'error').length;
  const state = errors > 0 ? pill({ tone: 'support', text: say(MAPPING_PAGE.errors({ count: errors })) }) : undefined;
  const saved = url.searchParams.get('saved');
  const heading = pageHeading({
    title: id,
    about: say(MAPPING_PAGE.about({ file: written.file, version })),
    ...(state && { marks: state }),
    acts: markup`<a class="button" href="${own}?tests=run#tests">${say(MAPPING_PAGE.runTests())}</a><a class="button primary" href="${own}/studio">${say(context.may('studio') ? MAPPING_PAGE.change() : MAPPING_PAGE.tryOut())}</a>`,
  });
  const withoutLine = findings.filter(({ line }) => line === undefined);
  const content = markup`<div class="stack">${heading}
${'ended' in found ? notice({ tone: 'support', text: say(endedWords(found.ended)) }) : undefined}${problems(withoutLine, say)}
${await testsCard(context, written)}${await proposalsCard(context, written)}
<div class="columns">${card({
    id: 'text',
    title: say(MAPPING_PAGE.text()),
    note: written.file,
    body: markup`<div class="code numbered sideways" data-colored tabindex="0" role="group" aria-label="${say(MAPPING_PAGE.text())}">${textLines(text, findings, { say, isOpen: true })}</div>`,
  })}${await versionsPart(context, written, own)}</div></div><script type="module" src="${context.asset('studio.js')}"></script>`;
  return await composePage(context, {
    place: 'mappings',
    title: id,
    content,
    ...(saved !== null && { done: { tone: 'ok' as const, text: say(MAPPING_PAGE.saved({ version: saved })) } }),
  });
};

async function testsCard(context: ScreenContext, { id, file, text }: WrittenMapping): Promise<Markup | undefined> {
  const { say, url, instance } = context;
  const sha256 = instance.mappings.find((mapping) => mapping.id === id && mapping.parts[0]?.text === text)?.sha256;
  let outcomes = sha256 === undefined ? undefined : testResultOf(sha256);
  let ended: Markup | undefined;
  if (url.searchParams.has('tests')) {
    const answer = await askStudio(context, { do: 'tests', text, file });
    if ('ended' in answer) ended = notice({ tone: 'support', text: say(endedWords(answer.ended)) });
    else if (answer.tests) {
      outcomes = answer.tests;
      if (sha256 !== undefined) rememberTests(sha256, outcomes);
    }
  }
  if (!outcomes && !ended) return undefined;
  return card({ id: 'tests', title: say(MAPPING_LIST.tests()), body: ended ?? testList(outcomes ?? [], say) });
}

async function proposalsCard({ ledger, instance, say }: ScreenContext, { id }: WrittenMapping) {
  const own = (await mappingProposals(ledger.queries, () => instance.mappings)).filter(({ mapping }) => mapping === id);
  if (own.length === 0) return undefined;
  return card({
    id: 'proposals',
    title: say(MAPPING_PAGE.proposals({ count: own.length })),
    body: markup`<div class="card-body">${own.map(
      ({ column, from, to, files, line }) =>
        markup`<p>${say(MAPPING_PAGE.proposal({ column, from, to, count: files }))}<br><code class="cell">${line}</code></p>`,
    )}</div>`,
  });
}

async function versionsPart(context: ScreenContext, written: WrittenMapping, own: string): Promise<Markup> {
  const { say, instance, locale, url } = context;
  const versions = await archivedVersions(instance, written);
  const chosen = versions.find(({ sha256 }) => sha256 === url.searchParams.get('version'));
  const list = dataTable<ArchivedVersion>(
    {
      caption: say(MAPPING_PAGE.versions()),
      rows: versions.slice(0, 200),
      empty: say(MAPPING_PAGE.noVersions()),
      hrefOf: ({ sha256 }) => `${own}?version=${sha256}#difference`,
      columns: [
        { title: say(MAPPING_LIST.version()), isName: true, cell: ({ version }) => version },
        { title: say(MAPPING_PAGE.firstUsed()), cell: ({ usedAt }) => localTime(usedAt, locale) },
        {
          title: say(MAPPING_PAGE.compared()),
          cell: ({ text }) => say(text === written.text ? MAPPING_PAGE.isCurrent() : STUDIO_TEXT.different()),
        },
      ],
    },
    say,
  );
  const difference =
    chosen &&
    card({
      id: 'difference',
      title: say(MAPPING_PAGE.difference({ version: chosen.version, current: written.version })),
      body: differenceLines(lineDifference(chosen.text, written.text), say),
    });
  return markup`<div class="stack">${difference}${card({ id: 'versions', title: say(MAPPING_PAGE.versions()), body: list })}</div>`;
}

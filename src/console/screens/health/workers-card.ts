/**
 * The programs that share a ledger on PostgreSQL: what each does, which files it has under way, and which are gone. Nothing for a
 * ledger that one program works with at a time.
 */
import type { Message } from '../../../i18n/message.ts';
import { HEALTH_WORKER } from '../../../i18n/messages/console/console-health-messages.ts';
import type { RecordedWorker, WorkerFile } from '../../../ledger/contract/worker-store.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { differenceBetween, leadOf } from '../../../pipeline/context/other-setup.ts';
import { localTime } from '../../../text/local-time.ts';
import { differingWords } from '../../../views/wording/setup-words.ts';
import { taskWords } from '../../../views/wording/worker-task-words.ts';
import type { ScreenContext } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { card } from '../../shell/parts.ts';
import { pill, type Tone } from '../../shell/tones.ts';

/** Names of files of one program, files that are read at all, and programs that ended. */
const [SHOWN, MOST, MOST_ENDED] = [3, 200, 5];

export async function workersCard(context: ScreenContext): Promise<Markup | undefined> {
  const { say, ledger, locale } = context;
  const workers = await ledger.workers.list();
  if (workers.length === 0) return undefined;
  const files = await ledger.workers.files(MOST);
  const lead = leadOf(workers);
  const table = dataTable<RecordedWorker>(
    {
      caption: say(HEALTH_WORKER.title()),
      rows: rowsOf(workers),
      empty: say(HEALTH_WORKER.none()),
      columns: [
        {
          title: say(HEALTH_WORKER.machine()),
          cell: ({ host, pid }) =>
            markup`${host}<p class="dim">${say(HEALTH_WORKER.process({ pid: String(pid) }))}</p>`,
          isName: true,
        },
        { title: say(HEALTH_WORKER.work()), cell: ({ work }) => say(HEALTH_WORKER[work]()), isWords: true },
        { title: say(HEALTH_WORKER.since()), cell: ({ startedAt }) => localTime(startedAt, locale) },
        { title: say(HEALTH_WORKER.state()), cell: (one) => stateOf(context, one, lead), isWords: true },
        {
          title: say(HEALTH_WORKER.tasks()),
          cell: ({ roles }) =>
            taskWords(roles)
              .map((task) => say(task))
              .join(', '),
        },
        { title: say(HEALTH_WORKER.files()), cell: (one) => filesOf(context, one, files) },
      ],
    },
    say,
  );
  return card({
    id: 'workers',
    title: say(HEALTH_WORKER.title()),
    body: markup`<p class="card-body dim">${say(HEALTH_WORKER.about())}</p>${table}`,
  });
}

/** Those at work, those that left files, and the last runs and watches that ended: each decision of a person is a worker too. */
function rowsOf(workers: readonly RecordedWorker[]): readonly RecordedWorker[] {
  const isOpen = ({ goneMs, files }: RecordedWorker) => goneMs === undefined || files > 0;
  const ended = workers.filter((one) => !isOpen(one) && (one.work === 'run' || one.work === 'watch'));
  const latest = ended.toSorted((a, b) => (b.goneMs ?? 0) - (a.goneMs ?? 0)).slice(0, MOST_ENDED);
  const open = workers.filter(isOpen);
  return [
    ...open.filter(({ goneMs }) => goneMs === undefined),
    ...open.filter(({ goneMs }) => goneMs !== undefined),
    ...latest,
  ];
}

function stateOf({ say, locale }: ScreenContext, one: RecordedWorker, lead: RecordedWorker | undefined): Markup {
  const { goneMs, leftMs, files } = one;
  const shown = (tone: Tone, text: Message, about?: Message) =>
    markup`${pill({ tone, text: say(text) })}${about && markup`<p class="dim">${say(about)}</p>`}`;
  if (goneMs !== undefined) {
    const time = localTime(goneMs, locale);
    return files > 0
      ? shown('support', HEALTH_WORKER.gone(), HEALTH_WORKER.goneAbout({ time }))
      : shown('queue', HEALTH_WORKER.ended(), HEALTH_WORKER.endedAbout({ time }));
  }
  const differs = lead && differenceBetween(one, lead);
  if (leftMs > 0 && differs) {
    return shown('fix', HEALTH_WORKER.waits(), HEALTH_WORKER.waitsAbout({ what: differingWords(differs) }));
  }
  return leftMs > 0
    ? shown('ok', HEALTH_WORKER.works())
    : shown('fix', HEALTH_WORKER.silent(), HEALTH_WORKER.silentAbout());
}

function filesOf({ say, base }: ScreenContext, { id, files }: RecordedWorker, all: readonly WorkerFile[]): Markup {
  const own = all.filter(({ worker }) => worker === id).slice(0, SHOWN);
  const links = own.map(
    (file) => markup`<li><a href="${base}/files/${encodeURIComponent(file.id)}">${file.name}</a></li>`,
  );
  const more = files - own.length;
  return markup`<ul>${links}${more > 0 ? markup`<li class="dim">${say(HEALTH_WORKER.more({ count: more }))}</li>` : undefined}</ul>`;
}

/** `/people`: who may use the console, a form that adds a person, and the history at the door, a page at a time by key. */
import { CONSOLE_PEOPLE } from '../../../i18n/messages/console/console-people-messages.ts';
import { CONSOLE_ROLE, PEOPLE_COMMAND } from '../../../i18n/messages/console/console-server-messages.ts';
import { CONSOLE_PLACE } from '../../../i18n/messages/console/console-shell-messages.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { localTime } from '../../../text/local-time.ts';
import type { KnownPerson } from '../../people/person.ts';
import type { Screen, ScreenContext } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { LANGUAGE_NAMES } from '../../shell/page-frame.ts';
import { card, type NoticeOptions, pageHeading } from '../../shell/parts.ts';
import { pill } from '../../shell/tones.ts';
import { composePage } from '../compose-page.ts';
import { donePersonAct, eventsCard, personForm, roleField, selectField } from './people-parts.ts';

export const peopleScreen: Screen = async (context) => await peoplePage(context);

/** Also the answer to a form that could not be done: `done` has the reason. */
export async function peoplePage(context: ScreenContext, done?: NoticeOptions): Promise<Markup> {
  const { say, base, people } = context;
  const title = say(CONSOLE_PLACE.people());
  const shown = done ?? donePersonAct(context);
  const content = markup`${pageHeading({ title, about: say(CONSOLE_PEOPLE.about()) })}
<div class="stack"><section class="card" aria-label="${title}">${peopleTable(context, people.list())}</section>
${card({ id: 'add', title: say(CONSOLE_PEOPLE.add()), body: addForm(context) })}
${eventsCard(context, { path: `${base}/people` })}</div>`;
  return await composePage(context, { place: 'people', title, content, ...(shown && { done: shown }) });
}

function peopleTable({ say, base, locale, person: self }: ScreenContext, people: readonly KnownPerson[]): Markup {
  const { column } = CONSOLE_PEOPLE;
  const name = (one: KnownPerson) =>
    one.id === self.id ? markup`${one.name} <span class="dim">${say(CONSOLE_PEOPLE.you())}</span>` : one.name;
  const role = ({ revokedAt, role: given }: KnownPerson) =>
    revokedAt === null ? say(CONSOLE_ROLE[given]()) : pill({ tone: 'queue', text: say(PEOPLE_COMMAND.revoked()) });
  return dataTable(
    {
      caption: say(CONSOLE_PLACE.people()),
      columns: [
        { title: say(column.name()), cell: name, isName: true },
        { title: say(column.role()), cell: role },
        {
          title: say(column.language()),
          cell: ({ language }) => (language ? LANGUAGE_NAMES[language] : say(CONSOLE_PEOPLE.ofBrowser())),
        },
        {
          title: say(column.lastSignIn()),
          cell: ({ lastSignInAt }) =>
            lastSignInAt === null ? say(CONSOLE_PEOPLE.never()) : localTime(lastSignInAt, locale),
        },
        { title: say(column.sessions()), cell: ({ sessions }) => String(sessions), isNumber: true },
      ],
      rows: [...people].sort((a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null)),
      empty: say(CONSOLE_PEOPLE.none()),
      hrefOf: ({ id }) => `${base}/people/${encodeURIComponent(id)}`,
    },
    say,
  );
}

function addForm(context: ScreenContext): Markup {
  const { say, base } = context;
  const languages = Object.entries(LANGUAGE_NAMES).map(([value, text]) => ({ value, text }));
  const fields = markup`<p class="field"><label for="name">${say(CONSOLE_PEOPLE.column.name())}</label><input id="name" name="name" type="text" required maxlength="100" autocomplete="off" spellcheck="false"></p>
${roleField(context, 'viewer')}
${selectField({ id: 'language', label: say(CONSOLE_PEOPLE.column.language()), value: '', choices: [{ value: '', text: say(CONSOLE_PEOPLE.ofBrowser()) }, ...languages] })}`;
  const command = 'nightpost people add NAME --role ROLE';
  return personForm(context, {
    action: `${base}/people`,
    does: say(CONSOLE_PEOPLE.does.add()),
    fields,
    submit: say(CONSOLE_PEOPLE.add()),
    isPrimary: true,
    command,
  });
}

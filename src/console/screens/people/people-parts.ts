/** Parts that the pages about people share: forms, sessions, the history at the door. Values come in, HTML comes out. */
import type { Message } from '../../../i18n/message.ts';
import { CONSOLE_PEOPLE, PEOPLE_EVENT } from '../../../i18n/messages/console/console-people-messages.ts';
import { CONSOLE_ROLE } from '../../../i18n/messages/console/console-server-messages.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { localTime } from '../../../text/local-time.ts';
import type { RecordedPeopleEvent } from '../../people/people-events.ts';
import { CONSOLE_ROLES, type ConsoleRole, type OpenSession } from '../../people/person.ts';
import type { ScreenContext } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { terminalLine } from '../../shell/forms.ts';
import { card, type NoticeOptions } from '../../shell/parts.ts';

/** Events on a page. */
const EVENTS = 25;

type PersonForm = {
  readonly action: string;
  readonly does: string;
  readonly fields?: Markup;
  readonly hidden?: { readonly [name: string]: string };
  readonly submit: string;
  readonly isPrimary?: true;
  /** The command that does the same. */
  readonly command?: string;
};

/** A form with one act. */
export function personForm({ say, csrf }: Pick<ScreenContext, 'say' | 'csrf'>, form: PersonForm): Markup {
  const { action, does, fields, hidden, submit, isPrimary, command } = form;
  return markup`<form class="act single" method="post" action="${action}"><input type="hidden" name="csrf" value="${csrf}">${Object.entries(
    hidden ?? {},
  ).map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`)}
<p class="does">${does}</p>
${fields && markup`<div class="act-fields">${fields}</div>`}
<p class="act-buttons"><button class="${isPrimary ? 'button primary' : 'button'}" type="submit">${submit}</button></p>
${command === undefined ? undefined : terminalLine(command, say)}</form>`;
}

type SelectField = {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly text: string }[];
};

export function selectField({ id, label, value, choices }: SelectField): Markup {
  return markup`<p class="field"><label for="${id}">${label}</label><select id="${id}" name="${id}">${choices.map(
    (one) =>
      markup`<option value="${one.value}"${one.value === value ? markup` selected` : undefined}>${one.text}</option>`,
  )}</select></p>`;
}

export function roleField({ say }: Pick<ScreenContext, 'say'>, value: ConsoleRole): Markup {
  const choices = CONSOLE_ROLES.map((role) => ({ value: role, text: say(CONSOLE_PEOPLE.may[role]()) }));
  return selectField({ id: 'role', label: say(CONSOLE_PEOPLE.column.role()), value, choices });
}

/** `keep`: the session of this page, which is marked. */
export function sessionsTable(
  { say, locale, csrf }: Pick<ScreenContext, 'say' | 'locale' | 'csrf'>,
  {
    sessions,
    action,
    keep,
  }: { readonly sessions: readonly OpenSession[]; readonly action: string; readonly keep?: string | undefined },
): Markup {
  const { session } = CONSOLE_PEOPLE;
  const end = ({ id, beganAt }: OpenSession) => {
    if (id === keep) return markup`<span class="dim">${say(session.own())}</span>`;
    const time = localTime(beganAt, locale);
    return markup`<form method="post" action="${action}"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="session" value="${id}"><button class="quiet" type="submit" aria-label="${say(session.endOf({ time }))}">${say(session.end())}</button></form>`;
  };
  return dataTable(
    {
      caption: say(session.title()),
      columns: [
        { title: say(session.began()), cell: ({ beganAt }) => localTime(beganAt, locale), isName: true },
        { title: say(session.seen()), cell: ({ seenAt }) => localTime(seenAt, locale) },
        { title: say(session.address()), cell: ({ address }) => address },
        { title: say(session.end()), cell: end },
      ],
      rows: sessions,
      empty: say(session.none()),
    },
    say,
  );
}

type EventsPlace = { readonly path: string; readonly person?: string };

/** The parameter `before` is the key of the page. */
export function eventsCard(context: ScreenContext, { path, person }: EventsPlace): Markup {
  const { say, locale, people, url } = context;
  const given = url.searchParams.get('before') ?? '';
  const before = /^\d{1,15}$/.test(given) ? Number(given) : undefined;
  const events = people.events(EVENTS + 1, { before, person });
  const rows = events.slice(0, EVENTS);
  const last = rows.at(-1);
  const { column } = CONSOLE_PEOPLE;
  const table = dataTable(
    {
      caption: say(PEOPLE_EVENT.title()),
      columns: [
        { title: say(PEOPLE_EVENT.at()), cell: ({ at }) => localTime(at, locale) },
        { title: say(PEOPLE_EVENT.what()), cell: (event) => eventText(event, say), isName: true },
        { title: say(column.name()), cell: ({ name }) => name },
        { title: say(CONSOLE_PEOPLE.session.address()), cell: ({ address }) => address },
      ],
      rows,
      empty: say(PEOPLE_EVENT.none()),
      pager: {
        ...(before !== undefined && { first: `${path}#events` }),
        ...(events.length > EVENTS && last && { next: `${path}?before=${last.n}#events` }),
      },
    },
    say,
  );
  return card({ id: 'events', title: say(PEOPLE_EVENT.title()), body: table });
}

/** An event that this version does not know is shown by its name. */
function eventText({ what, detail }: RecordedPeopleEvent, say: (message: Message) => string): string {
  const { did } = PEOPLE_EVENT;
  const values = { by: '', role: '', from: '', to: '', how: '', document: '', ...detail } as {
    [name: string]: unknown;
  };
  const value = (name: string) => String(values[name]);
  const role = (name: string) => {
    const known = CONSOLE_ROLES.find((one) => one === values[name]);
    return known ? say(CONSOLE_ROLE[known]()) : value(name);
  };
  const texts: { readonly [name: string]: Message | undefined } = {
    'person-added': did.personAdded({ role: role('role') }),
    'role-changed': did.roleChanged({ from: role('from'), to: role('to') }),
    'person-revoked': did.personRevoked(),
    'password-set': did.passwordSet(),
    'password-refused': did.passwordRefused(),
    'link-made': did.linkMade(),
    'token-made': did.tokenMade(),
    'binding-allowed': did.bindingAllowed(),
    'sessions-ended': did.sessionsEnded(),
    'signed-in': did.signedIn({ how: value('how') }),
    'signed-out': did.signedOut(),
    'sign-in-failed': did.signInFailed({ how: value('how') }),
    'sign-in-blocked': did.signInBlocked(),
    'payload-seen': did.payloadSeen({ document: value('document') }),
    'answers-seen': did.answersSeen({ document: value('document') }),
    'documents-exported': did.documentsExported(),
  };
  const text = Object.hasOwn(texts, what) ? texts[what] : undefined;
  const words = text ? say(text) : what;
  return values.by === '' ? words : `${words} (${say(did.by({ by: value('by') }))})`;
}

const DONE = ['role', 'revoke', 'sessions', 'password'] as const;

/** What the address says was done just now. */
export function donePersonAct({ url, say }: Pick<ScreenContext, 'url' | 'say'>): NoticeOptions | undefined {
  const done = DONE.find((one) => one === url.searchParams.get('done'));
  return done && { tone: 'ok', text: say(CONSOLE_PEOPLE.done[done]()) };
}

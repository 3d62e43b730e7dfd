/** `/people/:id`: one person, with the acts of an administrator about the access. A link or a token is shown once. */
import { CONSOLE_PEOPLE } from '../../../i18n/messages/console/console-people-messages.ts';
import { CONSOLE_ROLE } from '../../../i18n/messages/console/console-server-messages.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { localTime } from '../../../text/local-time.ts';
import { shellWord } from '../../../text/shell-word.ts';
import type { KnownPerson } from '../../people/person.ts';
import { notFound, type Screen, type ScreenContext } from '../../server/screen-context.ts';
import { LANGUAGE_NAMES } from '../../shell/page-frame.ts';
import { card, definitionList, type NoticeOptions, pageHeading } from '../../shell/parts.ts';
import { composePage } from '../compose-page.ts';
import { donePersonAct, eventsCard, personForm, roleField, sessionsTable } from './people-parts.ts';

export const personScreen: Screen = async (context) => await personPage(context, context.params.id ?? '');

/** Throws ScreenError 404 for an id that no one has. */
export async function personPage(context: ScreenContext, id: string, done?: NoticeOptions): Promise<Markup> {
  const { say, base, people, locale } = context;
  const person = people.list().find((one) => one.id === id);
  if (!person) throw notFound();
  const { name, role, language, addedAt, addedBy, lastSignInAt, revokedAt } = person;
  const { column } = CONSOLE_PEOPLE;
  const path = `${base}/people/${encodeURIComponent(id)}`;
  const facts = definitionList([
    [say(column.role()), say(CONSOLE_ROLE[role]())],
    [say(column.language()), language ? LANGUAGE_NAMES[language] : say(CONSOLE_PEOPLE.ofBrowser())],
    [say(column.added()), say(CONSOLE_PEOPLE.addedBy({ time: localTime(addedAt, locale), name: addedBy }))],
    [say(column.lastSignIn()), lastSignInAt === null ? say(CONSOLE_PEOPLE.never()) : localTime(lastSignInAt, locale)],
    [say(column.revoked()), revokedAt === null ? undefined : localTime(revokedAt, locale)],
  ]);
  const shown = done ?? donePersonAct(context);
  const content = markup`${pageHeading({ title: name, about: markup`<a href="${base}/people">${say(CONSOLE_PEOPLE.back())}</a>` })}
<div class="stack"><section class="card" aria-labelledby="title"><div class="card-body">${facts}</div></section>
${revokedAt === null ? accessCards(context, person, path) : undefined}
${eventsCard(context, { path, person: id })}</div>`;
  return await composePage(context, { place: 'people', title: name, content, ...(shown && { done: shown }) });
}

function accessCards(context: ScreenContext, person: KnownPerson, path: string): Markup {
  const { say, people, person: self, session: keep, instance } = context;
  const { does, act, session } = CONSOLE_PEOPLE;
  const { name, role, id } = person;
  const isSelf = id === self.id;
  const form = (what: 'link' | 'token' | 'revoke' | 'role', fields?: Markup) =>
    personForm(context, {
      action: `${path}/${what}`,
      does: say(does[what]()),
      submit: say(act[what]()),
      ...(fields && { fields }),
      command: `nightpost people ${what} ${shellWord(name)}${what === 'role' ? ' --role ROLE' : ''}`,
    });
  const own = markup`<p class="card-body dim">${say(CONSOLE_PEOPLE.ownAccess())}</p>`;
  const change = isSelf ? own : markup`${form('role', roleField(context, role))}${form('revoke')}`;
  return markup`${card({ id: 'access', title: say(CONSOLE_PEOPLE.access()), body: change })}
${card({ id: 'ways', title: say(CONSOLE_PEOPLE.waysIn()), body: markup`${instance.settings.serve.proxy ? undefined : form('link')}${form('token')}` })}
${card({ id: 'sessions', title: say(session.title()), body: sessionsTable(context, { sessions: people.sessions(id), action: `${path}/sessions`, keep }) })}`;
}

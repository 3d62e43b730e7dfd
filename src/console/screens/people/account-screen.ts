/** `/account`: what a person decides about the own access: password, language and colors, sessions. */
import { CONSOLE_ACCOUNT, CONSOLE_PEOPLE } from '../../../i18n/messages/console/console-people-messages.ts';
import { CONSOLE_ROLE } from '../../../i18n/messages/console/console-server-messages.ts';
import { OperatorError } from '../../../model/fault.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { SHORTEST_PASSWORD } from '../../people/password-hash.ts';
import { createSignInThrottle } from '../../people/sign-in-throttle.ts';
import { type Screen, type ScreenContext, seeOther } from '../../server/screen-context.ts';
import { preferenceForm } from '../../shell/page-frame.ts';
import { card, type NoticeOptions, pageHeading } from '../../shell/parts.ts';
import { composePage } from '../compose-page.ts';
import { byOf, endedSessions, refusal, under } from './people-acts.ts';
import { donePersonAct, eventsCard, personForm, sessionsTable } from './people-parts.ts';

export const accountScreen: Screen = async (context) => await accountPage(context);

async function accountPage(context: ScreenContext, done?: NoticeOptions): Promise<Markup> {
  const { say, base, person, people, session, instance } = context;
  const title = say(CONSOLE_ACCOUNT.title());
  const shown = done ?? donePersonAct(context);
  const path = `${base}/account`;
  const sessions = people.sessions(person.id);
  const others = sessions.filter(({ id }) => id !== session);
  const endAll = personForm(context, {
    action: `${path}/sessions`,
    does: say(CONSOLE_ACCOUNT.doesEnd()),
    submit: say(CONSOLE_ACCOUNT.endOthers()),
  });
  // After a proxy there is neither a password nor a session.
  const ways =
    instance.settings.serve.proxy === undefined
      ? markup`${card({ id: 'password', title: say(CONSOLE_ACCOUNT.password()), body: passwordForm(context) })}
${card({ id: 'sessions', title: say(CONSOLE_PEOPLE.session.title()), body: markup`${sessionsTable(context, { sessions, action: `${path}/sessions`, keep: session })}${others.length > 1 ? endAll : undefined}` })}`
      : undefined;
  const content = markup`${pageHeading({ title, about: `${person.name} · ${say(CONSOLE_ROLE[person.role]())}` })}
<div class="stack">${card({ id: 'preferences', title: say(CONSOLE_ACCOUNT.preferences()), body: markup`<div class="card-body">${preferenceForm({ ...context, address: '/account' })}</div>` })}
${ways}
${eventsCard(context, { path, person: person.id })}</div>`;
  return await composePage(context, { title, content, ...(shown && { done: shown }) });
}

function passwordForm(context: ScreenContext): Markup {
  const { say, base, person, people } = context;
  const field = (name: string, label: string, kind: 'current' | 'new') =>
    markup`<p class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="password" required maxlength="1000" autocomplete="${kind}-password"></p>`;
  const before = people.hasPassword(person.id)
    ? field('current', say(CONSOLE_ACCOUNT.current()), 'current')
    : undefined;
  return personForm(context, {
    action: `${base}/account/password`,
    does: say(CONSOLE_ACCOUNT.doesPassword({ least: SHORTEST_PASSWORD })),
    fields: markup`${before}${field('password', say(CONSOLE_ACCOUNT.fresh()), 'new')}${field('again', say(CONSOLE_ACCOUNT.again()), 'new')}`,
    submit: say(CONSOLE_ACCOUNT.setPassword()),
  });
}

/** A session that was left open does not become a way to guess the password. */
const throttle = createSignInThrottle();

/** Ends all sessions of the person, who signs in again with the new password. */
export const setOwnPassword: Screen = async (context) => {
  const { form, person, people, say, record } = context;
  const [current, fresh, again] = ['current', 'password', 'again'].map((name) => String(form.get(name) ?? ''));
  const page = async (text: string) => await accountPage(under(context, '/account'), { tone: 'fix', text });
  if (fresh !== again) return await page(say(CONSOLE_ACCOUNT.notSame()));
  if (people.hasPassword(person.id)) {
    const attempt = throttle.begin([`account ${person.id}`], Date.now());
    if (!attempt) return await page(say(CONSOLE_ACCOUNT.wait()));
    const found = await people.personOfPassword(person.name, current ?? '').catch((error: unknown) => {
      attempt.dropped();
      throw error;
    });
    if (found === 'busy') {
      attempt.dropped();
      return await page(say(CONSOLE_ACCOUNT.wait()));
    }
    if (!found) {
      attempt.failed(Date.now());
      record('password-refused');
      return await page(say(CONSOLE_ACCOUNT.wrong()));
    }
    attempt.succeeded();
  }
  try {
    await people.setPassword(person.name, fresh ?? '', byOf(context), context.instance.settings.company);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return await accountPage(under(context, '/account'), refusal(context, error));
  }
  return seeOther(context, '/account?done=password');
};

export const endOwnSessions: Screen = async (context) => {
  context.people.endSessionsOf(context.person, endedSessions(context), byOf(context));
  return seeOther(context, '/account?done=sessions');
};

/** Puts the content of a screen into the frame of the console. What every page shows about the instance is read here, once for each look. */

import { actsForApproval } from '../../decisions/requests/submitted-acts.ts';
import { APPROVALS } from '../../i18n/messages/console/console-approval-messages.ts';
import { CONSOLE_ROLE } from '../../i18n/messages/console/console-server-messages.ts';
import { isOnThisMachine, isProduction } from '../../instance/environment-guard.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import { localTime } from '../../text/local-time.ts';
import { checkStatus } from '../../views/queries/status-check.ts';
import { type InstanceVerdict, verdictOf } from '../../views/queries/verdict.ts';
import { groupDigits } from '../../views/wording/amount-texts.ts';
import { roleHas } from '../people/person.ts';
import { keptStatus } from '../server/kept-status.ts';
import type { ScreenContext } from '../server/screen-context.ts';
import { type FrameOptions, pageFrame } from '../shell/page-frame.ts';
import { PLACES, type PlaceName } from '../shell/page-places.ts';
import { notice } from '../shell/parts.ts';
import type { Tone } from '../shell/tones.ts';

const PLACE_NAMES = Object.keys(PLACES) as readonly PlaceName[];

/** `verdict`: that of the instance unless a page knows more. */
type PageContent = Pick<FrameOptions, 'place' | 'title' | 'content' | 'done'> & { readonly verdict?: InstanceVerdict };

/** A whole page; its frame has verdict, places, person and preferences. */
export async function composePage(context: ScreenContext, page: PageContent): Promise<Markup> {
  const { instance, language, say, base, asset, url, csrf, person, preferences, leadsTo } = context;
  const read = await readVerdict(context);
  const { waiting } = read;
  const verdict = page.verdict ?? read.verdict;
  return pageFrame({
    ...page,
    content: markup`${haltNotice(context, page)}${await approvalsLine(context)}${page.content}`,
    language,
    say,
    base,
    asset,
    csrf,
    preferences,
    places: PLACE_NAMES.filter((name) => leadsTo(PLACES[name].path)),
    canFind: leadsTo('/find'),
    address: `${url.pathname.slice(base.length)}${url.search}`,
    environment: environmentOf(instance),
    company: instance.settings.company ?? '',
    person: { name: person.name, role: say(CONSOLE_ROLE[person.role]()) },
    waiting: { count: waiting, shown: groupDigits(String(waiting), language) },
    verdict: { tone: TONE_OF_VERDICT[verdict.weight], text: say(verdict.sentence) },
  });
}

/** To people who may act: why no page has a button now. The page about the state of the instance has it anyway. */
function haltNotice({ halt, person, say }: ScreenContext, { place }: PageContent): Markup | undefined {
  if (!halt || place === 'health' || !roleHas(person.role, 'act')) return undefined;
  const { message, hint } = halt.texts;
  return notice({ tone: 'support', text: [message, ...(hint ? [hint] : [])].map(say).join(' ') });
}

/** On every other page, for people who may act: how many decisions wait for another person. */
async function approvalsLine({ say, base, instance, url, may }: ScreenContext): Promise<Markup | undefined> {
  if (!may('act') || url.pathname.startsWith(`${base}/acts`)) return undefined;
  const { length: count } = await actsForApproval(instance, new Date());
  if (count === 0) return undefined;
  return markup`<p class="approvals"><a class="button" href="${base}/acts">${say(APPROVALS.count({ count }))}</a></p>`;
}

/** A name that says nothing counts as production where the services are elsewhere: the safe side. */
function environmentOf({ settings: { environment: name }, destinations }: ScreenContext['instance']) {
  if (isProduction(name)) return { kind: 'production', name } as const;
  if (destinations.every(({ baseUrl }) => isOnThisMachine(baseUrl))) return { kind: 'sandbox', name } as const;
  return { kind: name === 'default' ? 'production' : 'test', name } as const;
}

export const TONE_OF_VERDICT = {
  good: 'ok',
  attention: 'fix',
  alarm: 'support',
} as const satisfies Record<InstanceVerdict['weight'], Tone>;

/** The status of now, and what it says to people. */
export async function readVerdict(context: Pick<ScreenContext, 'instance' | 'ledger' | 'acts' | 'locale'>) {
  const status = await keptStatus(context);
  const time = (at: string) => localTime(at, context.locale);
  const check = checkStatus(status, new Date(), { maxAgeMs: undefined, time });
  return { status, check, verdict: verdictOf(check), waiting: check.measures.waiting ?? 0 };
}

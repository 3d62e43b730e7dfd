/**
 * GET events: what changed, as a stream of events with counts and ids and without contents, or once as JSON for browsers
 * next to a proxy that holds streams back. The page asks again for what it shows.
 */
import { API_ERROR } from '../../i18n/messages/console/console-api-messages.ts';
import { ledgerSiteOf } from '../../instance/ledger-site-of.ts';
import { OperatorError } from '../../model/fault.ts';
import type { ChangesSince } from '../../search/change-feed.ts';
import { apiRoute } from './api-route.ts';
import { followChanges, followers } from './live-changes.ts';

/** Pages that may listen at a time: each is a connection. */
const MOST_FOLLOWERS = 128;
/** Ids in one event. */
const MOST_IDS = 100;

export const eventRoute = apiRoute({
  method: 'GET',
  path: '/events',
  right: 'view',
  says: 'What changes from now on, or since Last-Event-ID: events "version" with counts and ids. Once, as JSON, where Accept is application/json.',
  answers: { 200: 'text/event-stream' },
  answer: async ({ instance, request, signal }) => {
    const { headers } = request;
    const from = headers.get('last-event-id') ?? undefined;
    if ((headers.get('accept') ?? '').includes('application/json')) {
      const ended = AbortSignal.abort();
      for await (const found of followChanges(ledgerSiteOf(instance), from, ended)) return found && eventOf(found);
    }
    if (followers() >= MOST_FOLLOWERS) {
      throw new OperatorError('api/busy', API_ERROR.manyListen(), { hint: API_ERROR.askSeldom() });
    }
    const kind = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
    if (request.method === 'HEAD') return new Response(null, { headers: kind });
    const events = ReadableStream.from(textsOf(followChanges(ledgerSiteOf(instance), from, signal)));
    return new Response(events.pipeThrough(new TextEncoderStream()), { headers: kind });
  },
});

async function* textsOf(changes: AsyncIterable<ChangesSince | undefined>): AsyncGenerator<string> {
  for await (const found of changes) {
    if (!found) yield ': \n\n';
    else yield `event: version\nid: ${found.place}\ndata: ${JSON.stringify(eventOf(found))}\n\n`;
  }
}

/** `count`: changed documents; `ids` are at most the first hundred of them. */
function eventOf({ place, documents, files, more }: ChangesSince) {
  return { version: place, count: documents.length, ids: documents.slice(0, MOST_IDS), files: files.length, more };
}

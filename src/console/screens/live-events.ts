/**
 * GET /events: a version that changes with every receipt and run, as a stream of events, or once as JSON for browsers
 * behind a proxy that holds streams back. No contents leave here: the page asks again for what it shows.
 */
import { setTimeout } from 'node:timers/promises';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import { chainHeadText } from '../../pipeline/queries/instance-status.ts';
import { sha256Hex } from '../../text/sha256.ts';
import type { Screen, ScreenContext } from '../server/screen-context.ts';

/** At most one event in this time. */
const STEP_MS = 2_000;
/** A comment keeps proxies from ending a quiet connection. */
const STEPS_PER_COMMENT = 7;
/** Half an hour; the browser connects again, and its session is looked at again. */
const MOST_STEPS = 900;

export const liveEvents: Screen = async ({ ledger, request, look, signal }) => {
  const wantsJson = (request.headers.get('accept') ?? '').includes('application/json');
  if (wantsJson) return Response.json({ version: await versionOf(ledger) });
  const events = ReadableStream.from(versions(look, signal));
  return new Response(events.pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
  });
};

async function* versions(look: ScreenContext['look'], signal: AbortSignal): AsyncGenerator<string> {
  let last = '';
  for (let step = 0; step < MOST_STEPS && !signal.aborted; step++) {
    const version = await look(({ ledger }) => versionOf(ledger));
    if (version !== last) yield `event: version\ndata: ${version}\n\n`;
    else if (step % STEPS_PER_COMMENT === 0) yield ': \n\n';
    last = version;
    await setTimeout(STEP_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Cheap in a ledger of any size: the end of the chain of receipts, and the last run. */
async function versionOf(ledger: Pick<Ledger, 'chainHead' | 'runs'>): Promise<string> {
  const [run] = await ledger.runs(1);
  return sha256Hex(JSON.stringify([await chainHeadText(ledger), run?.id, run?.outcome])).slice(0, 16);
}

/** Paused services, each a value in the table `meta`, and who resumed them. */
import { definedOnly } from '../../model/defined-only.ts';
import { appendEvent, type LedgerContext, readMetaValue } from '../contract/ledger-context.ts';
import type { Pause, SubmissionStore } from '../contract/submission-store.ts';

/** The pause of each service, which outlasts a run. */
export function createPauses(context: LedgerContext) {
  return {
    pauseOf: (service) =>
      context.read(async (sql) => {
        const pause = await readMetaValue(sql, `pause ${service}`);
        return pause === undefined ? undefined : JSON.parse(pause);
      }),
    pause: (service, pause, decision) =>
      context.write(async (sql) => {
        const key = `pause ${service}`;
        // A person lets go on what they have seen: the sender may have found another cause since.
        if (decision && pause && !isSeen(await readMetaValue(sql, key), pause)) return false;
        await sql.run('DELETE FROM meta WHERE key = ?', key);
        if (pause) await sql.run('INSERT INTO meta (key, value) VALUES (?, ?)', key, JSON.stringify(pause));
        const what = pause && !decision ? 'paused' : 'resumed';
        const at = decision?.at ?? pause?.at;
        const person = decision && { person: decision.by };
        const detail = definedOnly({ service, ...pause, reason: decision?.reason });
        await appendEvent(sql, context, definedOnly({ what, at, ...person, detail }));
        return true;
      }),
  } satisfies Partial<SubmissionStore>;
}

/** The rest of a pause has the time at which it began. */
function isSeen(now: string | undefined, { at }: Pause): boolean {
  return now !== undefined && (JSON.parse(now) as Pause).at === at;
}

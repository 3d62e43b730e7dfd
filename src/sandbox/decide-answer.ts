/**
 * The decision about a submission: the script, the merits of the document and the earlier acceptances go in, and
 * status, code and tracking id come out, in one synchronous step. Nothing throws. Not shown by the contracts and chosen
 * here: which code belongs to which HTTP status.
 */
import { randomUUID } from 'node:crypto';
import { definedOnly } from '../model/defined-only.ts';
import type { ServiceName } from '../model/document.ts';
import type { Acceptance, AcceptanceLog, AcceptedDocument } from './acceptance-log.ts';
import type { Tuning } from './sandbox-settings.ts';
import type { ScenarioAnswer } from './scenario-schema.ts';

/** A submission as either service has read it. `digest`: SHA-256 (hex) of its content, calculated only for the log. */
export type Arrival = {
  readonly service: ServiceName;
  readonly class: string;
  readonly identity: string;
  readonly number: string;
  readonly requestId: string;
  readonly digest: () => string;
  /** The reason to refuse the document, unless the script decides. */
  readonly problem?: { readonly code: 6 | 15; readonly message: string };
};

/**
 * One answer: HTTP status, code in the body (0: the body has none), and the scripted `answer` that tunes its transport.
 */
export type SandboxDecision = {
  readonly http: number;
  readonly code: number;
  readonly message?: string;
  readonly trackingId?: string;
  readonly answer: ScenarioAnswer;
};

/** The state that both services decide on; `clock` in epoch milliseconds. */
export type DecisionParts = {
  readonly clock: () => number;
  readonly acceptances: AcceptanceLog;
  readonly refuseDuplicates: boolean;
  readonly tuning: () => Tuning;
};

/** Codes under which the service keeps the document as issued, or as issued before. */
const ISSUED: readonly number[] = [2, 8, 11];
/** Codes that leave a record for consultations: 15 and 18 are about documents that were never processed. */
const KEPT: readonly number[] = [2, 4, 6, 8, 11];
/** The contract shows no code per HTTP status; these are the ones whose meaning fits. */
const CODE_OF_HTTP: { readonly [http: number]: number } = { 400: 6, 401: 15, 500: 4 };

/** Decides about an arrival and updates its record `taken`: accepted, duplicate, or kept with a code. */
export function decideAnswer(
  parts: DecisionParts,
  arrival: Arrival,
  taken: AcceptedDocument,
  answer: ScenarioAnswer,
): SandboxDecision {
  const scripted = answer.code ?? CODE_OF_HTTP[answer.http ?? 200];
  const problem = scripted === undefined ? arrival.problem : undefined;
  const code = scripted ?? problem?.code ?? 2;
  const processed = isProcessed(answer);
  const takesIn = answer.accept ?? (processed && ISSUED.includes(code));
  if (taken.accepted > 0 && (processed || takesIn)) {
    taken.duplicates++;
    enter(parts, arrival, 'duplicate');
    if (parts.refuseDuplicates) return { ...rule(answer, 15), code: 15, message: duplicateMessage(taken) };
    taken.accepted++;
  } else if (takesIn) {
    take(parts, taken, arrival, answer, code);
  } else if (processed && KEPT.includes(code)) {
    taken.code = code;
    parts.acceptances.track(taken, randomUUID());
  }
  const { message = problem?.message } = answer;
  return definedOnly({ ...rule(answer, code), ...(processed && tracking(taken)), message });
}

function isProcessed({ drop, http = 200, accept }: ScenarioAnswer): boolean {
  return drop !== 'before' && http < 300 && accept !== false;
}

function take(
  parts: DecisionParts,
  taken: AcceptedDocument,
  arrival: Arrival,
  answer: ScenarioAnswer,
  code: number,
): void {
  taken.accepted++;
  // If the answer hides the outcome, the document is authorized: the worst case for a client that sends it again.
  taken.code = ISSUED.includes(code) ? code : 2;
  parts.acceptances.track(taken, randomUUID());
  if (code === 8) {
    const { code: later, afterSeconds, afterConsultations } = answer.becomes ?? parts.tuning().becomes;
    taken.becomes = { code: later, at: parts.clock() + afterSeconds * 1000, consultations: afterConsultations };
  }
  enter(parts, arrival, 'accepted');
}

function enter({ acceptances, clock }: DecisionParts, arrival: Arrival, event: Acceptance['event']): void {
  const { service, identity, requestId, digest } = arrival;
  const at = new Date(clock()).toISOString();
  acceptances.enter(() => ({ event, service, identity, requestId, digest: digest(), at }));
}

/** The answer as scripted; `fallback` is the code if the script has none. */
export function rule(answer: ScenarioAnswer, fallback: number): SandboxDecision {
  const code = answer.code ?? CODE_OF_HTTP[answer.http ?? 200] ?? fallback;
  return definedOnly({ http: answer.http ?? 200, code, answer, message: answer.message });
}

/** The tracking id as a part of a decision, if the document has one. */
export function tracking(taken: AcceptedDocument | undefined): { trackingId?: string } {
  return definedOnly({ trackingId: taken?.trackingId });
}

/** A decision of the service itself, outside of the script; its body has the details. */
export function unscriptedAnswer(http: number): SandboxDecision {
  return { http, code: 0, answer: {} };
}

function duplicateMessage(taken: AcceptedDocument): string {
  return `Possible duplicate: ${taken.class} ${taken.number} was taken in before under tracking id ${taken.trackingId}`;
}

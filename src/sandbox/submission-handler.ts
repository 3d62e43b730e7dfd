/**
 * The part that both imitated services share: an arrival goes in, a decision comes out. Decision and acceptance are one
 * synchronous step, before any delay: two equal arrivals cannot both be accepted, and a client that ends while it waits
 * leaves an accepted document. Nothing throws.
 */
import type { ServerResponse } from 'node:http';
import { definedOnly } from '../model/defined-only.ts';
import { perService, type ServiceName } from '../model/document.ts';
import type { AcceptedDocument } from './acceptance-log.ts';
import {
  type Arrival,
  type DecisionParts,
  decideAnswer,
  rule,
  type SandboxDecision,
  tracking,
} from './decide-answer.ts';
import type { SandboxEvent } from './sandbox-settings.ts';
import type { Scenario } from './scenario.ts';

/** One for both services of a sandbox. */
export type SubmissionHandler = {
  readonly now: () => string;
  /**
   * Takes a place until the response is closed; without a free place, returns the decision of an overloaded service.
   */
  readonly occupy: (service: ServiceName, response: ServerResponse) => SandboxDecision | undefined;
  readonly submit: (arrival: Arrival) => DecidedReply;
  readonly consult: (
    service: ServiceName,
    key: string,
    documentClass?: string,
  ) => DecidedReply & { readonly taken?: AcceptedDocument };
  /** The scripted answer to a token call; undefined if it is judged on its merits. */
  readonly token: (service: ServiceName) => SandboxDecision | undefined;
};

/** `left` logs that the answer is sent. */
type DecidedReply = { readonly decision: SandboxDecision; readonly left?: (dropped: boolean) => void };

type HandlerParts = DecisionParts & {
  readonly scenario: Scenario;
  readonly log: ((event: SandboxEvent) => void) | undefined;
};

/** `parts.log` gets an event when a call arrives and when its answer is sent. */
export function createSubmissionHandler(parts: HandlerParts): SubmissionHandler {
  const { clock, scenario, acceptances, tuning } = parts;
  const now = () => new Date(clock()).toISOString();
  const busy: { [service in ServiceName]: number } = { ...perService(() => 0) };
  return {
    now,
    occupy(service, response) {
      const { capacity, overload } = tuning();
      if (busy[service] >= capacity) return rule({ http: overload, retryAfterSeconds: 1 }, 0);
      busy[service]++;
      response.once('close', () => busy[service]--);
      return undefined;
    },
    submit(arrival) {
      const { service, class: documentClass, number, requestId } = arrival;
      const log = received({ service, act: 'submit', number, requestId });
      const taken = acceptances.arrive(arrival);
      const call = { service, act: 'submit', class: documentClass, number, seen: taken.requests - 1 } as const;
      return log(decideAnswer(parts, arrival, taken, scenario.answerTo(call, tuning()) ?? {}));
    },
    consult(service, key, documentClass) {
      const log = received({ service, act: 'consult', number: key, requestId: '' });
      const taken = acceptances.find(service, key, documentClass);
      if (taken) countConsultation(taken, clock());
      const shown = taken ?? { class: documentClass ?? '', number: key, consultations: 1 };
      const { class: shownClass, number, consultations } = shown;
      const call = { service, act: 'consult', class: shownClass, number, seen: consultations - 1 } as const;
      const answer = scenario.answerTo(call, tuning()) ?? {};
      const decision = { ...rule(answer, taken?.code ?? 18), ...tracking(taken) };
      return definedOnly({ ...log(decision), taken });
    },
    token(service) {
      const answer = scenario.answerTo({ service, act: 'token', class: '', number: '', seen: 0 }, tuning());
      return answer && rule(answer, 0);
    },
  };

  /** Logs the call now and, through `left`, its answer when it leaves. */
  function received(call: Omit<SandboxEvent, 'event' | 'at'>): (decision: SandboxDecision) => DecidedReply {
    const { log } = parts;
    log?.({ ...call, event: 'received', at: now() });
    return (decision) => {
      if (!log) return { decision };
      const { http, code } = decision;
      return { decision, left: (dropped) => log({ ...call, event: 'answered', at: now(), http, code, dropped }) };
    };
  }
}

/** Code 8 turns into its outcome after its time, and after enough consultations. */
function countConsultation(taken: AcceptedDocument, now: number): void {
  taken.consultations++;
  const { becomes } = taken;
  if (!becomes || now < becomes.at || taken.consultations <= becomes.consultations) return;
  taken.code = becomes.code;
  delete taken.becomes;
}

/**
 * The answer to a call: rules set while the sandbox runs, then rules of its script, then marks in the number, then
 * chance. A call goes in, the scripted answer comes out; undefined means that the document is judged on its merits.
 */
import { RE2JS } from 're2js';
import type { PerService, ServiceName } from '../model/document.ts';
import type { ScenarioAnswer, ScenarioRule } from './scenario-schema.ts';

type Call = {
  readonly service: ServiceName;
  readonly act: ScenarioRule['match']['act'];
  readonly class: string;
  /** Document number; for a consultation the key that it asks for, for a token ''. */
  readonly number: string;
  /** How many calls about this document came before. */
  readonly seen: number;
};

/** The answer that a number asks for; undefined without a mark. `seen`: how many calls about it came before. */
export type AnswerByNumber = (
  number: string,
  call: { readonly seen: number; readonly slowMs: number },
) => ScenarioAnswer | undefined;

type Chance = { readonly slowMs: number; readonly failRate: number; readonly failWith: ScenarioAnswer };

/** The script with its use counts. */
export type Scenario = {
  readonly answerTo: (call: Call, chance: Chance) => ScenarioAnswer | undefined;
  /** Replaces the rules set while running; those of the script come after them. */
  readonly play: (rules: readonly ScenarioRule[]) => void;
  readonly reset: () => void;
};

/** `seed`: start of the random numbers for `failRate`; the same seed and calls give the same answers. */
export function openScenario(
  script: readonly ScenarioRule[],
  byNumber: PerService<AnswerByNumber>,
  seed: number,
): Scenario {
  const base = script.map(compileRule);
  let added: readonly CompiledRule[] = [];
  let random = seeded(seed);
  return {
    answerTo(call, chance) {
      const takes = (rule: CompiledRule) => rule.takes(call);
      const scripted = added.find(takes) ?? base.find(takes);
      if (scripted) return scripted.answer;
      if (call.act !== 'submit') return undefined;
      const { service, number, seen } = call;
      return byNumber[service](number, { seen, slowMs: chance.slowMs }) ?? failing(chance);
    },
    play(rules) {
      added = rules.map(compileRule);
    },
    reset() {
      added = [];
      for (const rule of base) rule.reset();
      random = seeded(seed);
    },
  };

  function failing({ failRate, failWith }: Chance): ScenarioAnswer | undefined {
    return failRate > 0 && random() < failRate ? failWith : undefined;
  }
}

type CompiledRule = {
  readonly answer: ScenarioAnswer;
  readonly takes: (call: Call) => boolean;
  readonly reset: () => void;
};

/** A rule with its pattern compiled and its uses counted. */
function compileRule({ match, answer, times = Infinity, timesEach = Infinity }: ScenarioRule): CompiledRule {
  const patterns = [match.number === undefined ? undefined : glob(match.number), match.regex]
    .filter((source) => source !== undefined)
    .map((source) => RE2JS.compile(source));
  const usesOf = new Map<string, number>();
  let uses = 0;
  return {
    answer,
    takes(call) {
      if (uses >= times || !isOfKind(match, call)) return false;
      if (!patterns.every((pattern) => pattern.matches(call.number))) return false;
      const each = usesOf.get(call.number) ?? 0;
      if (each >= timesEach) return false;
      if (timesEach !== Infinity) usesOf.set(call.number, each + 1);
      uses++;
      return true;
    },
    reset() {
      uses = 0;
      usesOf.clear();
    },
  };
}

/** Whether act, service and class are those of the rule; a rule without service or class takes any. */
function isOfKind(match: ScenarioRule['match'], call: Call): boolean {
  const { act, service = call.service, class: documentClass = call.class } = match;
  return act === call.act && service === call.service && documentClass === call.class;
}

function glob(text: string): string {
  return text.replace(/[^*?]+/g, (plain) => RE2JS.quote(plain)).replace(/[*?]/g, (wild) => (wild === '*' ? '.*' : '.'));
}

/** mulberry32: the same seed gives the same night. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Functions that choose: conditions and values in, one value out. They evaluate only the branch that they need, so that
 * a fault in another branch is never reported.
 */
import { type Argument, builtFunction, type FunctionEntry, plainFunction } from '../runtime/function-definition.ts';
import { FAILED, type Kind, type ReadValue } from '../runtime/value.ts';

/** The manual of each function is its entry; its examples run as tests. */
export const LOGIC_FUNCTIONS: readonly FunctionEntry[] = [
  builtFunction({
    name: 'IF',
    syntax: 'IF(condition, then, else)',
    sentence: 'One value or the other; without the third the result is empty. Only the chosen one is computed.',
    examples: [
      { formula: 'IF(2 > 1, "more", "less")', gives: 'more' },
      { formula: 'IF(FALSE; 1/0; 7)', gives: '7' },
      { formula: 'IF(FALSE; "AV")', gives: '' },
    ],
    takes: ['boolean', 'any', 'any?'],
    gives: (given) => commonKind(given.slice(1)),
    build: ([{ read: test }, { read: whenTrue }, otherwise]) => {
      const whenFalse = otherwise?.read ?? (() => '');
      return (context) => {
        const holds = test(context);
        if (holds === FAILED) return FAILED;
        return holds === true ? whenTrue(context) : whenFalse(context);
      };
    },
  }),
  builtFunction({
    name: 'AND',
    syntax: 'AND(condition, ...)',
    sentence: 'TRUE when all conditions are; stops at the first that is not.',
    examples: [
      { formula: 'AND(1 < 2, 2 < 3)', gives: 'TRUE' },
      { formula: 'AND(FALSE, 1/0 = 1)', gives: 'FALSE' },
    ],
    takes: ['boolean*'],
    gives: 'boolean',
    build: (given) => until(given, false),
  }),
  builtFunction({
    name: 'OR',
    syntax: 'OR(condition, ...)',
    sentence: 'TRUE when any condition is; stops at the first that is.',
    examples: [
      { formula: 'OR("AV" = "FA", "AV" = "AV")', gives: 'TRUE' },
      { formula: 'OR(FALSE, FALSE)', gives: 'FALSE' },
    ],
    takes: ['boolean*'],
    gives: 'boolean',
    build: (given) => until(given, true),
  }),
  plainFunction({
    name: 'NOT',
    syntax: 'NOT(condition)',
    sentence: 'TRUE when the condition is FALSE.',
    examples: [{ formula: 'NOT(1 > 2)', gives: 'TRUE' }],
    takes: ['boolean'],
    gives: 'boolean',
    apply: ([condition]) => !condition,
  }),
  builtFunction({
    name: 'COALESCE',
    syntax: 'COALESCE(value, ...)',
    sentence: 'The first value that is not empty.',
    examples: [
      { formula: 'COALESCE("", "second", "third")', gives: 'second' },
      { formula: 'COALESCE($mobile, $phone)', columns: { mobile: [''], phone: ['0102'] }, row: 1, gives: '0102' },
    ],
    takes: ['any*'],
    gives: commonKind,
    build: firstFilled,
  }),
  builtFunction({
    name: 'IFEMPTY',
    syntax: 'IFEMPTY(value, replacement)',
    sentence: 'The value, or the replacement where it is empty.',
    examples: [{ formula: 'IFEMPTY("", "EUR")', gives: 'EUR' }],
    takes: ['any', 'any'],
    gives: commonKind,
    build: firstFilled,
  }),
];

/** The kind that all choices share, else 'any'; a literal "" does not count. */
function commonKind(given: readonly Argument[]): Kind {
  const kinds = new Set(given.filter((argument) => argument.literal !== '').map((argument) => argument.kind));
  const [only = 'text'] = kinds;
  return kinds.size > 1 ? 'any' : only;
}

/** AND (`decisive` false) or OR (`decisive` true): stops at the first decisive condition. */
function until(given: readonly Argument[], decisive: boolean): ReadValue {
  const reads = given.map((argument) => argument.read);
  return (context) => {
    for (const read of reads) {
      const value = read(context);
      if (value === FAILED) return FAILED;
      // An empty condition counts as FALSE.
      if ((value === true) === decisive) return decisive;
    }
    return !decisive;
  };
}

/** Stops at the first value that is not empty; a failed value is returned as it is. */
function firstFilled(given: readonly Argument[]): ReadValue {
  const reads = given.map((argument) => argument.read);
  return (context) => {
    for (const read of reads) {
      const value = read(context);
      if (value !== '') return value;
    }
    return '';
  };
}

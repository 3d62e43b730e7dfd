/** One input made of others: a few changes of bytes, words of the format, and pieces of other inputs. */
import type { Random } from './random.ts';

const MAX_BYTES = 64 * 1024;
const NASTY: readonly string[] = [
  '\0',
  '\ufeff',
  '\r',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '"',
  '""',
  "'",
  ';',
  ',',
  '<',
  '>',
  '&',
  '&#0;',
  '&#x10ffff;',
  '\x1a',
  '\u00a0',
  '\u202e',
  '\ud83d\ude00',
  'e\u0301',
  '-',
  '0',
  '9'.repeat(40),
  '1e999',
  '1e-7',
  '1e+21',
  '__proto__',
  'constructor',
  'toString',
  '\u2028',
]; // prettier-ignore

export function mutated(inputs: readonly Buffer[], words: readonly string[], random: Random): Buffer {
  let bytes: Buffer = Buffer.from(random.of(inputs));
  for (let times = 1 + random.below(6); times > 0; times--) bytes = random.of(CHANGES)(bytes, inputs, words, random);
  return bytes.subarray(0, MAX_BYTES);
}

type Change = (bytes: Buffer, inputs: readonly Buffer[], words: readonly string[], random: Random) => Buffer;

const CHANGES: readonly Change[] = [
  (bytes, _, __, random) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[random.below(copy.length)]! ^= 1 << random.below(8);
    return copy;
  },
  (bytes, _, __, random) => put(bytes, Buffer.from([random.below(256)]), random.below(2), random),
  (bytes, _, words, random) => put(bytes, Buffer.from(random.of(words)), random.of([0, 0, 1, 8]), random),
  (bytes, _, __, random) => put(bytes, Buffer.from(random.of(NASTY)), random.of([0, 0, 1, 8]), random),
  (bytes, _, __, random) => put(bytes, Buffer.alloc(0), 1 + random.below(32), random),
  (bytes, _, __, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, _, __, random) => put(bytes, piece(bytes, 64, random), 0, random),
  (bytes, inputs, __, random) => put(bytes, piece(random.of(inputs), 400, random), random.below(64), random),
  // Lines change places or come twice.
  (bytes, _, __, random) => {
    const lines = bytes.toString('latin1').split('\n');
    lines.splice(random.below(lines.length), random.below(2), random.of(lines));
    return Buffer.from(lines.join('\n'), 'latin1');
  },
  (bytes, _, words, random) => {
    const many = random.of([10, 100, 1000, 5000]);
    return put(bytes, Buffer.from(random.of([...words, '(', '[', '<a>', '"']).repeat(many)), 0, random);
  },
];

/** Puts a piece somewhere, in place of so many bytes. */
function put(bytes: Buffer, into: Buffer, instead: number, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), into, bytes.subarray(at + instead)]);
}

function piece(bytes: Buffer, most: number, random: Random): Buffer {
  const at = random.below(bytes.length);
  return bytes.subarray(at, at + 1 + random.below(most));
}

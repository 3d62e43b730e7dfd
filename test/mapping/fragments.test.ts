import { describe, expect, test } from 'vitest';
import { EXAMPLE, THREE_ROWS } from './example.ts';
import { convert, FILES, findingsOf, loaded } from './world.ts';

const FREE = EXAMPLE.slice(0, EXAMPLE.indexOf('\nchecks:'));
const part = (from: string, to: string) => FREE.slice(FREE.indexOf(from), FREE.indexOf(to));
const RECEIVER = part('  receiver:\n', '  references:');
const indented = (text: string, less: number) => text.replace(new RegExp(`^ {${less}}`, 'gm'), '');
const block = indented(RECEIVER.replace('  receiver:\n', ''), 4);
const WITH = FREE.replace(RECEIVER, '  receiver: { use: blocks/receiver.yaml }\n');

test('the content replaces the block', () => {
  const files = { ...FILES, 'blocks/receiver.yaml': block };
  const [whole] = convert(loaded(FREE, FILES), THREE_ROWS);
  const [used] = convert(loaded(WITH, files), THREE_ROWS);
  expect(used?.json).toHaveProperty('receiver.name');
  expect(JSON.stringify(used?.json)).toBe(JSON.stringify(whole?.json));
});

test('lists and parts outside the output as well, and files that use files', () => {
  const files = {
    ...FILES,
    'blocks/receiver.yaml': block.replace('{ street: $Adresse', '{ use: blocks/address.yaml } #'),
    'blocks/address.yaml': '{ street: $Adresse, city: $Ville, postal-code: $CP, country: FR }',
    'blocks/checks.yaml':
      '- { that: = 1 = 1, else: error, say: never }\n- { that: = 1 = 2, else: warning, say: always }\n',
  };
  const text = `${WITH}\nchecks: { use: ./blocks/checks.yaml }\n`;
  const [used] = convert(loaded(text, files), THREE_ROWS);
  expect(used?.json).toMatchObject({ receiver: { address: { city: 'Bourg-en-Bresse' } } });
  expect(used?.faults.map(({ message, mark }) => [message.split(':')[0], mark?.file, mark?.line])).toEqual([
    ['always', 'blocks/checks.yaml', 2],
  ]);
});

test('what is wrong is shown in the file where it is written, to the column', () => {
  const files = {
    ...FILES,
    'blocks/receiver.yaml': 'name: $NomClient\nadress: x\nidentifiers:\n  - { type: siren, value: = LEF($SIREN) }\n',
  };
  const found = findingsOf(WITH, files);
  expect(found).toEqual([
    '2:1 map/no-such-field "receiver" has no field "adress"',
    '4:29 map/no-such-function there is no function LEF',
  ]);
});

test('the hash of the mapping is that of all its files', () => {
  const of = (text: string) => loaded(WITH, { ...FILES, 'blocks/receiver.yaml': text }).sha256;
  expect(of(block)).toBe(of(block));
  expect(of(block)).not.toBe(of(`${block}\n# another day`));
});

describe('refused', () => {
  const using = (path: string) => WITH.replace('blocks/receiver.yaml', path);
  test.each(['../receiver.yaml', '/etc/receiver.yaml', 'C:/x.yaml', 'blocks/receiver.csv'])('%s', (path) => {
    expect(findingsOf(using(path), FILES)[0]).toContain('map/use-outside');
  });

  test('a file that is not there, and one that is no YAML', () => {
    expect(findingsOf(using('blocks/none.yaml'), FILES)).toEqual([
      expect.stringContaining('map/no-such-file the file "blocks/none.yaml" does not exist'),
    ]);
    expect(findingsOf(WITH, { ...FILES, 'blocks/receiver.yaml': 'name: [' })[0]).toContain('yaml/syntax');
  });

  test('files that use each other', () => {
    const files = {
      ...FILES,
      'blocks/receiver.yaml': 'address: { use: b.yaml }',
      'b.yaml': 'x: { use: blocks//receiver.yaml }',
    };
    expect(findingsOf(WITH, files)[0]).toContain(
      'map/use-cycle the files use each other: blocks/receiver.yaml -> b.yaml -> blocks/receiver.yaml',
    );
    expect(findingsOf(using('mappings/test.yaml'), FILES)[0]).toContain('map/use-cycle');
  });

  test('a key next to it', () => {
    const found = findingsOf(WITH.replace('{ use:', '{ name: x, use:'), { ...FILES, 'blocks/receiver.yaml': block });
    expect(found[0]).toContain('map/no-such-field "receiver" has no field "use"');
  });

  test('files that multiply', () => {
    const bomb = Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [
        n === 0 ? 'blocks/receiver.yaml' : `b${n}.yaml`,
        `[${Array.from({ length: 10 }, () => `{ use: b${n + 1}.yaml }`).join(', ')}]`,
      ]),
    );
    expect(findingsOf(WITH, { ...FILES, ...bomb, 'b8.yaml': 'x' }).join('\n')).toContain('map/use-too-large');
    const large = {
      'blocks/receiver.yaml': `[${Array.from({ length: 6 }, () => '{ use: l.yaml }').join(', ')}]`,
      'l.yaml': `"${'x'.repeat(200_000)}"`,
    };
    expect(findingsOf(WITH, { ...FILES, ...large })[0]).toContain('map/use-too-large');
    const chain = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        n === 0 ? 'blocks/receiver.yaml' : `c${n}.yaml`,
        `a: { use: c${n + 1}.yaml }`,
      ]),
    );
    expect(findingsOf(WITH, { ...FILES, ...chain })[0]).toContain('map/use-too-large');
  });
});

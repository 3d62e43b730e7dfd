/**
 * Draws docs/images/demo.svg: the terminal of one real `npm run demo`, cut before the paths of its folder. Colors follow the
 * reader's light or dark theme. `npm run picture` writes it; nothing reads it but people.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const COLUMNS = 118;
const ADVANCE = 7.8;
const LEADING = 18;
const MARGIN = 18;
const CLASSES: { readonly [code: string]: string } = { 1: 'b', 2: 'd', 31: 'r', 32: 'g', 33: 'y', 36: 'c' };
const ENDS: { readonly [code: string]: readonly string[] } = {
  0: Object.values(CLASSES),
  22: ['b', 'd'],
  39: ['r', 'g', 'y', 'c'],
};
const STYLE = `
  text { font-size: 13px; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328 }
  .page { fill: #f6f8fa; stroke: #d0d7de } .b { font-weight: bold } .d { fill: #59636e }
  .r { fill: #b3261e } .g { fill: #1a7f37 } .y { fill: #8a5a00 } .c { fill: #0b6a83 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .page { fill: #0d1117; stroke: #30363d } .d { fill: #9198a1 }
    .r { fill: #ff7b72 } .g { fill: #56d364 } .y { fill: #e3b341 } .c { fill: #79c0ff }
  }`;

type Cell = { readonly sign: string; readonly classes: string };

/** The lines of the demo that hold no path and no port of this machine. */
function demoLines(): readonly string[] {
  const { stdout, status } = spawnSync('npm run -s demo 2>&1', {
    shell: true,
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '1' },
  });
  if (status !== 0) throw new Error(`the demo ended with ${status}`);
  const [shown = ''] = stdout.split(/\n[^\n]*Look around/);
  const lines = shown.trimEnd().split('\n');
  return lines.filter((line) => !/127\.0\.0\.1|nightpost-demo-/.test(line));
}

function cellsOf(line: string): readonly Cell[] {
  const active = new Set<string>();
  return [...line.matchAll(/\u001b\[([\d;]*)m|(.)/gsu)].flatMap(([, codes, sign]) => {
    if (sign !== undefined) return [{ sign, classes: [...active].join(' ') }];
    for (const code of codes!.split(';')) {
      const name = CLASSES[code];
      if (name !== undefined) active.add(name);
      for (const ended of ENDS[code] ?? []) active.delete(ended);
    }
    return [];
  });
}

/** A line longer than the picture goes on in the next one, below the start of its last column. */
function wrapped(cells: readonly Cell[]): readonly (readonly Cell[])[] {
  if (cells.length <= COLUMNS) return [cells];
  const text = cells.map(({ sign }) => sign).join('');
  const column = /^.*\s{2}(?=\S)/.exec(text)?.[0].length ?? 4;
  const at = text.lastIndexOf(' ', COLUMNS) + 1;
  const indent = Array.from({ length: column }, () => ({ sign: ' ', classes: '' }));
  return [cells.slice(0, at), ...wrapped([...indent, ...cells.slice(at)])];
}

function lineOf(cells: readonly Cell[], row: number): string {
  const y = MARGIN + 14 + row * LEADING;
  const runs: { classes: string; text: string; at: number }[] = [];
  for (const [n, { sign, classes }] of cells.entries()) {
    const last = runs.at(-1);
    if (last?.classes === classes) last.text += sign;
    else runs.push({ classes, text: sign, at: n });
  }
  return runs
    .flatMap(({ classes, text, at }) => wordsOf(text).map(([word, n]) => piece(classes, word, at + n, y)))
    .join('\n');
}

/** Words that one blank parts stay together; more blanks part columns, which are placed one by one. */
function wordsOf(text: string): readonly (readonly [words: string, at: number])[] {
  return [...text.matchAll(/\S+(?: \S+)*/g)].map((found) => [found[0], found.index]);
}

/** `textLength` keeps columns in line whatever font the reader has. */
function piece(classes: string, text: string, column: number, y: number): string {
  const place = `x="${(MARGIN + column * ADVANCE).toFixed(1)}" y="${y}" textLength="${(text.length * ADVANCE).toFixed(1)}"`;
  return `  <text ${place}${classes === '' ? '' : ` class="${classes}"`}>${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const rows = ['$ npm run demo', ...demoLines()].flatMap((line) => wrapped(cellsOf(line)));
const width = Math.ceil(COLUMNS * ADVANCE + 2 * MARGIN);
const height = rows.length * LEADING + 2 * MARGIN;
const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
  <title id="title">The demo in a terminal: eight exports, their documents by outcome, and what waits for a person</title>
  <style>${STYLE}
  </style>
  <rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${rows.map(lineOf).filter(Boolean).join('\n')}
</svg>
`;
writeFileSync(join(ROOT, 'docs/images/demo.svg'), picture);

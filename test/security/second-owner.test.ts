/** Files that another account drops, as most senders do: the program runs under its own user, the files belong to a second one. */
import { chmodSync, chownSync, closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, tally } from '../night.ts';
import { runAs } from '../program.ts';

const OURS = [61_001, 61_003] as const;
const SENDER = [61_002, 61_003] as const;

const MAPPING = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
  'totals:',
  `attachments:
    - { filename: $Pdf, mime-type: application/pdf, content: { base64: $Pdf } }
  totals:`,
);
const exportOf = (number: string) =>
  `Num;Date;Client;Lig;Qte;PU;Taux;Pdf\n${number};05/09/2026;Client;1;2;10,50;20;${number}.pdf\n`;
const pdfOf = (number: string) => `%PDF-1.7 ${number}\n`;

/** An instance that belongs to our account, with an inbox of this owner and mode that the sender may write. */
async function ours({ owner, mode }: { readonly owner: readonly [number, number]; readonly mode: number }) {
  const scene = await openScene({ mappings: { 'sales.yaml': MAPPING } });
  for (const path of ['', ...readdirSync(scene.root, { recursive: true, encoding: 'utf8' })])
    chownSync(join(scene.root, path), ...OURS);
  chmodSync(scene.root, 0o750);
  chownSync(join(scene.root, 'inbox'), ...owner);
  chmodSync(join(scene.root, 'inbox'), mode);
  return scene;
}

function dropAs(scene: Scene, user: readonly [number, number], name: string, content: string): string {
  scene.drop(name, content);
  const path = join(scene.root, 'inbox', name);
  chownSync(path, ...user);
  chmodSync(path, 0o660);
  return path;
}

test.skipIf(process.getuid?.() !== 0)(
  'exports and their companions of another account: all go out in one run, and the archive is ours alone (as root alone)',
  async () => {
    await using scene = await ours({ owner: OURS, mode: 0o2770 });
    const handles: number[] = [];
    for (const number of ['F1', 'F2', 'F3']) {
      handles.push(openSync(dropAs(scene, SENDER, `${number}.pdf`, pdfOf(number)), 'r+'));
      dropAs(scene, SENDER, `ventes-${number}.csv`, exportOf(number));
    }
    expect(await runAs(scene, OURS, 'run')).toMatchObject({ code: 0 });
    expect(tally(await scene.entries())).toEqual({ authorized: 3 });
    expect(scene.files('inbox')).toEqual([]);
    // The sender still has its files open.
    for (const handle of handles) {
      writeSync(handle, 'OTHER BYTES', 0);
      closeSync(handle);
    }
    const archived = scene.files('archive').map((path) => {
      const { uid, mode, nlink } = statSync(join(scene.root, path));
      return { uid, mode: mode & 0o777, nlink, changed: scene.read(path).includes('OTHER') };
    });
    expect(archived).toEqual(
      Array.from({ length: 6 }, () => ({ uid: OURS[0], mode: 0o400, nlink: 1, changed: false })),
    );
  },
);

test.skipIf(process.getuid?.() !== 0)(
  'a companion that this account may not remove: its document goes out once, the file stays and is reported (as root alone)',
  async () => {
    await using scene = await ours({ owner: SENDER, mode: 0o3770 });
    const path = dropAs(scene, SENDER, 'F1.pdf', pdfOf('F1'));
    dropAs(scene, OURS, 'ventes-F1.csv', exportOf('F1'));
    const { code, err } = await runAs(scene, OURS, 'run');
    expect({ code, told: err.includes('intake/companion-stays') || err.includes('F1.pdf') }).toEqual({
      code: 0,
      told: true,
    });
    expect(tally(await scene.entries())).toEqual({ authorized: 1 });
    expect(statSync(path).uid).toBe(SENDER[0]);
    expect(scene.files('archive')).toHaveLength(2);
    expect(await runAs(scene, OURS, 'run')).toMatchObject({ code: 0 });
    expect(scene.sandbox.acceptances().map(({ requests }) => requests)).toEqual([1]);
  },
);

test.skipIf(process.getuid?.() !== 0)(
  'a companion that this account may not read ends no run when its export comes again (as root alone)',
  async () => {
    await using scene = await ours({ owner: OURS, mode: 0o2770 });
    dropAs(scene, SENDER, 'F1.pdf', pdfOf('F1'));
    dropAs(scene, SENDER, 'ventes-F1.csv', exportOf('F1'));
    expect(await runAs(scene, OURS, 'run')).toMatchObject({ code: 0 });
    chmodSync(dropAs(scene, SENDER, 'F1.pdf', pdfOf('F1')), 0);
    dropAs(scene, SENDER, 'ventes-F1.csv', exportOf('F1'));
    dropAs(scene, SENDER, 'F2.pdf', pdfOf('F2'));
    dropAs(scene, SENDER, 'ventes-F2.csv', exportOf('F2'));
    await runAs(scene, OURS, 'run');
    expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1 });
    expect(scene.sandbox.acceptances().map(({ requests }) => requests)).toEqual([1, 1]);
  },
);

/** `npm run build`: the program as it is published, in dist/, with the licenses of the packages inside. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { noticesOf } from './notices.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

rmSync(DIST, { recursive: true, force: true });
const { output } = await bundle(DIST);
const modules = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
writeFileSync(join(DIST, 'LICENSES.txt'), noticesOf(ROOT, modules));

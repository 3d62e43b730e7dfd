/** `npm run build`: the program as it is published, in dist/, with the packages inside, their licenses and hashes. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { noticesOf } from './notices.ts';
import { sbomOf } from './sbom.ts';
import { shippedPackages } from './shipped-packages.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

rmSync(DIST, { recursive: true, force: true });
const { output } = await bundle(DIST);
const modules = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
const packages = shippedPackages(ROOT, modules);
writeFileSync(join(DIST, 'LICENSES.txt'), noticesOf(packages));
writeFileSync(join(DIST, 'sbom.cdx.json'), sbomOf(ROOT, packages));

/** The bill of materials (CycloneDX 1.5) of the published package: no time and no random number, the same for the same lock. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sha256Hex } from '../src/text/sha256.ts';
import type { ShippedPackage } from './shipped-packages.ts';

export function sbomOf(root: string, packages: readonly ShippedPackage[]): string {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { ...componentOf({ name, version, license }), type: 'application' } },
    components: [
      ...packages.map((one) => ({ ...componentOf(one), hashes: [hashOf(one.integrity)] })),
      ...globSync('src/console/static/*.woff2', { cwd: root })
        .sort()
        .map((file) => fontOf(join(root, file))),
    ],
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

function componentOf({ name, version, license }: Pick<ShippedPackage, 'name' | 'version' | 'license'>) {
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { id: license } }],
  };
}

function hashOf(integrity: string) {
  const [algorithm = '', base64 = ''] = integrity.split(/-(.*)/s);
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(base64, 'base64').toString('hex'),
  };
}

/** The license of a font is in the file next to it. */
function fontOf(file: string) {
  const text = readFileSync(file.replace(/\.woff2$/, '.LICENSE.txt'), 'utf8');
  if (!text.includes('SIL Open Font License, Version 1.1')) throw new Error(`${file} has another license`);
  return {
    'bom-ref': basename(file),
    type: 'file',
    name: basename(file),
    hashes: [{ alg: 'SHA-256', content: sha256Hex(readFileSync(file)) }],
    licenses: [{ license: { id: 'OFL-1.1' } }],
  };
}

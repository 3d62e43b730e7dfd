/** An instance folder that this account may not enter: on a share with root_squash that is so for root. */
import { expect, test } from 'vitest';
import { openScene } from '../night.ts';

test.runIf(process.geteuid?.() === 0)('its folder is named, not a missing nightpost.yaml (as root)', async () => {
  await using scene = await openScene();
  process.seteuid?.(65_534);
  try {
    expect(() => scene.instance()).toThrow(expect.objectContaining({ code: 'config/folder-unusable' }));
  } finally {
    process.seteuid?.(0);
  }
});

/** What earlier runs left to people, as a run with nothing new and `status` tell it. */
import { expect, test } from 'vitest';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const CUT = sales(['F1']).slice(0, -1);

test('refused files wait until they are replaced or set aside', async () => {
  await using scene = await openScene();
  const again = async () => {
    const { code, out } = await commandIn(scene, 'run');
    return { code, says: out.trimEnd().split('\n').at(-1) };
  };
  scene.drop('ventes-1.csv', CUT);
  expect(await again()).toMatchObject({ code: 3 });
  expect(await again()).toEqual({
    code: 0,
    says: expect.stringContaining('  nothing new for you; 1 file waits from before: nightpost errors'),
  });
  expect((await commandIn(scene, 'status')).out).toContain('  1 refused file waits for you: nightpost errors\n');
  scene.drop('ventes-2.csv', CUT.replaceAll('F1', 'F2'));
  scene.drop('ventes-3.csv', sales(['F3']).replace(';1;2;10,50', ';1;2O;10,50'));
  await again();
  expect((await again()).says).toContain(
    'nothing new for you; 1 document and 2 files wait from before: nightpost errors',
  );
  expect(JSON.parse((await commandIn(scene, '--json', 'run')).out)).toMatchObject({ waiting: 1, waitingFiles: 2 });
  expect(JSON.parse((await commandIn(scene, '--json', 'status')).out)).toMatchObject({ filesRefused: 2 });
  expect((await commandIn(scene, 'reject', 'F3', '--reason', 'not ours')).code).toBe(0);
  expect((await again()).says).toContain('nothing new for you; 2 files wait from before');
  expect((await commandIn(scene, 'reject', 'ventes-2.csv', '--reason', 'not ours')).code).toBe(0);
  scene.drop('ventes-1.csv', sales(['F1']));
  expect(await again()).toEqual({ code: 0, says: expect.stringContaining('nothing waits for you') });
  expect(await again()).toEqual({ code: 0, says: expect.stringContaining('nothing waits for you') });
  expect((await commandIn(scene, 'status')).out).not.toContain('refused');
});

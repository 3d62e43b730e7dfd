/** All groups, the whole night first; in their quick form each shows in seconds that it runs. */
import type { Group, Size } from './group.ts';
import { convertingGroups } from './groups/converting-groups.ts';
import { fileGroups } from './groups/file-groups.ts';
import { nightGroups } from './groups/night-groups.ts';
import { processGroups } from './groups/process-groups.ts';

export function groupsOf(isQuick: boolean): readonly Group[] {
  const of: Size = (whole, quick) => (isQuick ? quick : whole);
  return [...nightGroups(of), ...convertingGroups(of), ...fileGroups(of), ...processGroups(of)];
}

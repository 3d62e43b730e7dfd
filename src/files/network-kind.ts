/** What kind of disk a folder is on: a type of statfs(2) on Linux comes in, a name or undefined comes out. */

/** Types of statfs(2) on Linux whose file locks and fsync are too weak for SQLite. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB (CIFS)'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x786f4256, 'VirtualBox share'],
]);

const FLEETING: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
  [0x794c7630, 'overlay'],
]);

/** Name of the network file system with this statfs type; undefined for a local one. */
export function networkKind(type: number): string | undefined {
  return NETWORK.get(type >>> 0);
}

/** Name of the file system with this statfs type that a restart of the machine, or another container, empties. */
export function fleetingKind(type: number): string | undefined {
  return FLEETING.get(type >>> 0);
}

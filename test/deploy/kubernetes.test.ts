/** deploy/kubernetes: each object is one of the published API, as the strictest profile of pods asks, and their parts agree. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { CronJob } from 'kubernetes-types/batch/v1.js';
import type { PodSpec, Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settingFaults } from './setting-faults.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const FOLDER = join(REPOSITORY, 'deploy/kubernetes');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

type Kustomization = {
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string; readonly newTag: string }[];
  readonly configMapGenerator: readonly { readonly name: string; readonly files: readonly string[] }[];
};
type Known = { readonly apiVersion: string; readonly kind: string; readonly metadata: { readonly name: string } };

const kustomization = parse(read('kustomization.yaml')) as Kustomization;
const objects = [...kustomization.resources, 'secret.example.yaml'].flatMap((name) =>
  parseAllDocuments(read(name)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Known;
  }),
);

function of<T>(kind: string, name: string): T {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name);
  expect(found, `${kind} ${name}`).toBeDefined();
  return found as T;
}

const worker = of<Deployment>('Deployment', 'nightpost-worker');
const console_ = of<Deployment>('Deployment', 'nightpost-console');
const upkeep = of<CronJob>('CronJob', 'nightpost-upkeep');
const pods: readonly PodSpec[] = [
  worker.spec!.template.spec!,
  console_.spec!.template.spec!,
  upkeep.spec!.jobTemplate.spec!.template.spec!,
];

/** Types of the API by the group in apiVersion; TypeScript refuses an unknown key in a literal, as a strict server does. */
function typesFound(all: readonly object[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-kinds-'));
  try {
    symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
    const lines = (all as readonly Known[]).map((object, n) => {
      const [version, group = 'core'] = object.apiVersion.split('/').reverse();
      const type = `import('kubernetes-types/${group.replace('.k8s.io', '')}/${version}').${object.kind}`;
      return `export const object${n}: ${type} = ${JSON.stringify(object)};\n`;
    });
    writeFileSync(join(folder, 'objects.ts'), lines.join(''));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
    const words = [join(REPOSITORY, 'node_modules/typescript/bin/tsc'), '--ignoreConfig', ...options, 'objects.ts'];
    return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('each object has the keys and types of the published API, and one with a misspelled key is found', () => {
  expect(objects.map(({ kind }) => kind).sort()).toEqual(
    ['CronJob', 'Deployment', 'Deployment', 'Namespace', 'NetworkPolicy', 'NetworkPolicy', 'NetworkPolicy'].concat([
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Secret',
      'Service',
    ]),
  );
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    spec: { containers: [{ name: 'a', securityContext: { readOnlyRootFileSystem: true } }] },
  };
  const says = typesFound([...objects, pod]);
  expect(says.trim().split('\n')).toEqual([expect.stringContaining('\'"readOnlyRootFileSystem"\'')]);
});

test('the namespace enforces the profile restricted, and each container keeps it', () => {
  expect(objects.find(({ kind }) => kind === 'Namespace')!.metadata).toMatchObject({
    labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
  });
  for (const pod of pods) {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 10_001,
        runAsGroup: 10_001,
        fsGroup: 10_001,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
      expect(container, container.name).toMatchObject({
        image: 'nightpost',
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: {
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        },
      });
      const mounts = (container.volumeMounts ?? []).map(({ name }) => name);
      expect(mounts.filter((name) => !pod.volumes!.some((volume) => volume.name === name))).toEqual([]);
    }
    const modes = pod.volumes!.flatMap(({ secret }) => (secret ? [secret.defaultMode! & 0o007] : []));
    expect(modes.every((mode) => mode === 0) && modes.length > 0).toBe(true);
  }
});

test('the pod to work in has every file that the others have: doctor reads all of them', () => {
  const mountsOf = (pod: PodSpec) => pod.containers[0]!.volumeMounts!.map(({ mountPath }) => mountPath);
  const others = pods.slice(0, 2).flatMap(mountsOf);
  expect(others.filter((path) => !mountsOf(pods[2]!).includes(path))).toEqual([]);
});

test('two workers end before new ones begin, after their requests, and one stays while nodes are drained', () => {
  expect(worker.spec).toMatchObject({ replicas: 2, strategy: { type: 'Recreate' } });
  expect(console_.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
  expect(pods[0]!.terminationGracePeriodSeconds).toBe(150);
  expect(of<object>('PodDisruptionBudget', 'nightpost-worker')).toMatchObject({
    spec: { minAvailable: 1, selector: worker.spec!.selector },
  });
  expect(of<object>('PersistentVolumeClaim', 'nightpost-instance')).toMatchObject({
    spec: { accessModes: ['ReadWriteMany'] },
  });
  expect(upkeep.spec!.suspend).toBe(true);
});

test('probes, ports, labels and settings name the same things', () => {
  const settings = parse(read('nightpost.yaml')) as { [key: string]: { [key: string]: unknown } };
  expect(kustomization.configMapGenerator).toEqual([{ name: 'nightpost-settings', files: ['nightpost.yaml'] }]);
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
  expect(kustomization.images).toMatchObject([{ name: 'nightpost', newTag: version }]);
  const portOf = (pod: PodSpec, name: string) =>
    pod.containers[0]!.ports!.find((port) => port.name === name)!.containerPort;
  expect(settings.watch).toMatchObject({ health: { port: portOf(pods[0]!, 'health'), host: '0.0.0.0' } });
  expect(settings.serve).toMatchObject({ metrics: { port: portOf(pods[1]!, 'metrics'), host: '0.0.0.0' } });
  for (const pod of pods.slice(0, 2)) {
    const [{ startupProbe, livenessProbe, readinessProbe, ports }] = pod.containers as [PodSpec['containers'][0]];
    const probes = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe!.httpGet!);
    expect(probes.map(({ path }) => path)).toEqual([
      '/healthz',
      '/healthz',
      expect.stringMatching(/^\/(?:readyz|healthz)$/),
    ]);
    expect(probes.filter(({ port }) => !ports!.some(({ name }) => name === port))).toEqual([]);
  }
  const service = of<Service>('Service', 'nightpost-console').spec!;
  expect(console_.spec!.template.metadata!.labels).toMatchObject(service.selector!);
  expect(portOf(pods[1]!, String(service.ports![0]!.targetPort))).toBe(7433);
  const inwards = of<NetworkPolicy>('NetworkPolicy', 'nightpost-console').spec!;
  expect(console_.spec!.template.metadata!.labels).toMatchObject(inwards.podSelector!.matchLabels!);
  expect(inwards.ingress!.flatMap(({ ports }) => ports!.map(({ port }) => port))).toEqual([7433, 9464]);
  expect(of<NetworkPolicy>('NetworkPolicy', 'nothing-else').spec).toEqual({
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
  });
});

test('the settings are those of the program, and each secret that they name is in the example', () => {
  const settings = parse(read('nightpost.yaml')) as { ledger: { postgres?: object } };
  const secrets = Object.keys(of<{ stringData: object }>('Secret', 'nightpost').stringData);
  const named = [...read('nightpost.yaml').matchAll(/file: ([\w-]+) \}/g)].map(([, name]) => name);
  expect(named).toHaveLength(3);
  expect(named.filter((name) => !secrets.includes(name!))).toEqual([]);
  expect(settings.ledger).toMatchObject({ postgres: { database: 'nightpost', tls: 'verify' } });
  expect(settingFaults(settings)).toEqual([]);
  expect(settingFaults({ ...settings, inbox: { setle: '1s' } })).toHaveLength(1);
});

test.skipIf(spawnSync('kubectl', ['version', '--client']).status !== 0)(
  'kubectl composes them (skipped without it)',
  () => {
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', FOLDER], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const made = parseAllDocuments(stdout).map((document) => document.toJS() as Known);
    expect(made).toHaveLength(objects.length);
    const [map] = made.filter(({ kind }) => kind === 'ConfigMap');
    expect(map!.metadata.name).toMatch(/^nightpost-settings-\w{10}$/);
    // Each pod mounts the settings under the name with their hash.
    expect(stdout.split(`name: ${map!.metadata.name}\n`)).toHaveLength(1 + 1 + pods.length);
    expect(typesFound(made)).toBe('');
  },
);

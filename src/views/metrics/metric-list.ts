/**
 * The list of all metrics: name, kind, labels, meaning. The exposition, the manual and the tests are made of it. A name or
 * label never changes its meaning, because dashboards and alert rules of people depend on it.
 */
import { SUBMIT_BUCKETS } from '../../search/ledger-sums.ts';

/** Upper bounds of the classes of commit times, in seconds. */
export const COMMIT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;

/** Each name begins with this. */
export const METRIC_PREFIX = 'nightpost_';

/** Values of labels come from a closed list, or from the settings; never a number of a document or a name of a customer. */
type MetricLabel = 'service' | 'state' | 'outcome' | 'expect' | 'version' | 'kind';

/** `help` is one sentence without a full stop. */
export type MetricEntry = {
  readonly kind: 'gauge' | 'counter' | 'histogram';
  readonly labels: readonly MetricLabel[];
  readonly help: string;
  /** Of a histogram. */
  readonly buckets?: readonly number[];
};

function gauge(help: string, ...labels: MetricLabel[]): MetricEntry {
  return { kind: 'gauge', labels, help };
}

function counter(help: string, ...labels: MetricLabel[]): MetricEntry {
  return { kind: 'counter', labels, help };
}

/** By name without prefix. A metric without a value, such as the age of a backup that was never made, has no series. */
export const METRICS = {
  documents: gauge('Documents of the ledger by state, without those that a person has closed', 'service', 'state'),
  documents_closed: gauge('Documents that need no action by decision of a person', 'service'),
  documents_oldest_seconds: gauge(
    'Age of the oldest document in a state other than authorized, without closed ones',
    'service',
    'state',
  ),
  files_refused: gauge('Files without documents that wait for a person'),
  sources_missing: gauge('Files whose private copy is missing'),
  inbox_files: gauge('Visible files in the inbox'),
  rows_unaccounted: gauge('Rows that are in no receipt and have no reason, or are twice; must be 0'),
  submissions_total: counter('Submissions with an outcome, by the state that they led to', 'service', 'outcome'),
  consultations_total: counter('Consultations with an outcome, by the state that they led to', 'service', 'outcome'),
  submit_seconds: {
    kind: 'histogram',
    labels: ['service'],
    help: 'Time from request to answer of submissions',
    buckets: SUBMIT_BUCKETS,
  },
  token_renewals_total: counter('Tokens that a service issued', 'service'),
  run_at_work: gauge('1 while a run or a watch holds the instance', 'kind'),
  last_run_start_timestamp_seconds: gauge('Start of the last run or watch'),
  last_run_end_timestamp_seconds: gauge('End of the last run or watch; absent while it works, or if it died'),
  last_run_exit_code: gauge('Exit code of the last run or watch; absent while it works, or if it died'),
  last_run_died: gauge('1 if the last run or watch ended without a record'),
  last_run_duration_seconds: gauge('Duration of the last run or watch'),
  last_success_timestamp_seconds: gauge('End of the latest run that completed with exit code 0, 3 or 7'),
  expected_export_missing: gauge(
    '1 if an expected export did not arrive by its hour, or only without documents',
    'expect',
  ),
  export_age_seconds: gauge('Time since the latest file of an expected export', 'expect'),
  service_paused: gauge('1 while a service receives nothing more', 'service'),
  send_allowed: gauge('0 in no-send mode'),
  quarantine: gauge('1 while a restored ledger waits for a person'),
  mapping_faults: gauge('Errors of mappings, with which no run starts'),
  ledger_bytes: gauge('Size of the ledger'),
  ledger_wal_bytes: gauge('Size of the write-ahead log of the ledger'),
  ledger_replicas: gauge('Replicas that are connected to the PostgreSQL server of the ledger'),
  ledger_synchronous: gauge('1 while at least one of them confirms each commit, otherwise 0'),
  commit_seconds: {
    kind: 'histogram',
    labels: [],
    help: 'Time until a commit of the ledger is durable',
    buckets: COMMIT_BUCKETS,
  },
  requests_waiting: gauge('Acts of people that are not carried out yet'),
  request_oldest_seconds: gauge('Age of the oldest act that is not carried out yet'),
  approvals_waiting: gauge('Acts that wait for the approval of another person'),
  answers_waiting: gauge('Documents with a change that is in no answer file for the ERP yet'),
  answer_files_waiting: gauge('Answer files that are not in their folder yet'),
  answer_file_oldest_seconds: gauge('Age of the oldest of these files'),
  answer_folders_delayed: gauge('Folders that answer files could not be written into'),
  answer_field_problems_total: counter('Fields of answer files that are empty, or lack a letter, against the mapping'),
  notifications_waiting: gauge('Notices by mail, webhook or heartbeat that are not sent yet'),
  notifications_failed: gauge('Notices that were given up after all tries'),
  notification_channels_off: gauge('Channels whose receiver is gone'),
  backup_age_seconds: gauge('Age of the newest copy in backups/'),
  disk_free_bytes: gauge('Free space on the disk of the ledger'),
  build_info: gauge('1, with the version of the program', 'version'),
  scrape_duration_seconds: gauge('Time that it took to read these values'),
} as const satisfies { readonly [name: string]: MetricEntry };

export type MetricName = keyof typeof METRICS;

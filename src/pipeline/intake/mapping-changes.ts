/**
 * Mapping files that change during a watch, which continues with the mappings it began with. Each change is emitted
 * once with its faults: a watch that ends, also by a power cut, begins again only if all mappings are valid.
 */
import { loadMappings, mappingsChangedSince } from '../../instance/instance.ts';
import { type Fault, isError, OperatorError } from '../../model/fault.ts';
import type { RunContext } from '../context/run-context.ts';

export function mappingsNow({ instance, emit }: Pick<RunContext, 'instance' | 'emit'>): {
  readonly tellChanges: () => void;
} {
  let reported = JSON.stringify([[], []]);
  return {
    tellChanges: () => {
      const files = mappingsChangedSince(instance);
      const faults = files.length > 0 ? faultsOf(instance) : [];
      const now = JSON.stringify([files, faults]);
      if (now === reported) return;
      reported = now;
      emit({ what: 'mappings-changed', files, faults });
    },
  };
}

/** A file that cannot be read just now, as while it is replaced, must not end the watch. */
function faultsOf(instance: RunContext['instance']): readonly Fault[] {
  try {
    return loadMappings(instance).faults.filter(isError);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { code, message } = error;
    return [{ code, level: 'error', message }];
  }
}

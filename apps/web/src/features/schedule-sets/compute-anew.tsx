import { useQueryClient } from '@tanstack/react-query';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import { call } from '../../api/client.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { renewSets } from './sets.queries.ts';

interface Props {
  set: SetSummary;
  farmUID: string;
  onComputed: (next: SetSummary) => void;
  onClose: () => void;
}

/** Its template once more for the farm as it is now, as a set of its own; what that would send is shown before anything goes. */
export function ComputeAnew({ set, farmUID, onComputed, onClose }: Props) {
  const queryClient = useQueryClient();
  const { template } = set;
  const templateUID = template?.uid;
  if (!templateUID) return null;
  const isChanged = template.newestVersion !== null && template.newestVersion > template.version;
  return (
    <ConfirmDialog
      title={`Compute ${set.name} anew?`}
      confirm="Compute"
      doing="Computing…"
      run={() => compute(farmUID, templateUID)}
      onDone={(next) => {
        void renewSets(queryClient, farmUID);
        onComputed(next);
      }}
      onClose={onClose}
    >
      The template {template.name} is computed for the farm as it is now and kept as a new set.
      {isChanged && ' The template has changed since this set was made: what changed is in the new set too.'}{' '}
      Then you see how many sprinklers would be sent something, before anything is.
    </ConfirmDialog>
  );
}

async function compute(farmUID: string, templateUID: string): Promise<SetSummary> {
  const template = await call('GET /schedule-template', { query: { templateUID } });
  const { name, groups, settings, windy, leveling, startMin, limits, version } = template;
  const design = { name, settings, windy, leveling, startMin, limits };
  const computed = await call('POST /schedule-template/compute', {
    body: {
      farmUID,
      ...design,
      groups: groups.flatMap(({ name: _name, isGone, ...group }) => (isGone ? [] : [group])),
      templateUID,
      templateVersion: version,
    },
  });
  return call('POST /schedules/create', { body: computed });
}

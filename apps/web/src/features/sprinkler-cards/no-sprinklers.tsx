import { Link } from '@tanstack/react-router';
import { can } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { Empty } from '../../ui/state-view.tsx';
import classes from './sprinkler-cards.module.css';

/** A farm without sprinklers, and the way to a first one for those who may add it. */
export function NoSprinklers({ farmUID }: { farmUID: string }) {
  const canAdd = useCan({ anyOf: [can('irrigationDevices', 'Create')] }, farmUID);
  const action = canAdd && (
    <Link to="/irrigation-device/new/$farmUID" params={{ farmUID }} className={classes.add}>
      Add a sprinkler
    </Link>
  );
  return <Empty title="No sprinkler data to display." action={action} />;
}

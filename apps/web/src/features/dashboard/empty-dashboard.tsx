import { Link } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import { can, needs } from '@headrace/contract/permissions';
import { Empty } from '../../ui/state-view.tsx';
import { useCan } from '../../access/permissions.ts';
import classes from './dashboard.module.css';

/** A farm of which nothing is measured yet: what to do next, for those who may do it. */
export function EmptyDashboard({ farm: { _id: farmUID, tankOnly } }: { farm: FarmCard }) {
  const canSensor = useCan(needs.createSensors, farmUID);
  const canGateway = useCan(needs.createGateways, farmUID);
  const canSprinkler = useCan({ anyOf: [can('irrigationDevices', 'Create')] }, farmUID) && !tankOnly;
  const kinds = tankOnly
    ? "a tank's level sensor"
    : `a tank's level sensor, a flow meter or a soil moisture sensor${canSprinkler ? ', or sprinklers,' : ''}`;
  return (
    <Empty
      title="No items to display."
      action={
        (canSensor || canGateway || canSprinkler) && (
          <span className={classes.steps}>
            {canSensor && (
              <Link to="/sensor-device/new/$farmUID" params={{ farmUID }} className={classes.step}>
                Add a sensor
              </Link>
            )}
            {canSprinkler && (
              <Link to="/irrigation-device/new/$farmUID" params={{ farmUID }} className={classes.step}>
                Add a sprinkler
              </Link>
            )}
            {canGateway && (
              <Link to="/gateway-device/new/$farmUID" params={{ farmUID }} className={classes.step}>
                Add a gateway
              </Link>
            )}
          </span>
        )
      }
    >
      {canSensor
        ? `Add ${kinds} to this farm and its card appears here.`
        : "Nothing is measured on this farm yet. What its sensors say appears here once the farm's manager has added them."}
    </Empty>
  );
}

import { useQuery } from '@tanstack/react-query';
import { needs } from '@headrace/contract/permissions';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { useNow } from '../../ui/clock.ts';
import { useGrowing } from '../../ui/use-growing.ts';
import { useCan } from '../../access/permissions.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { useTankInsights } from '../insights/use-tank-insights.ts';
import { byName } from './tank-view-model.ts';
import { TankCard } from './tank-card.tsx';
import { worstFirst } from './tank-order.ts';
import { TankRows } from './tank-rows.tsx';
import { TankView, useTankView } from './tank-view.tsx';
import { tanksQuery } from './tanks.queries.ts';
import classes from './tank-card.module.css';

const DRAWN_AT_ONCE = 4;

/** A card or a line for each of the farm's tanks, in the order of the person's choice. */
export function TankLevels({ farmUID }: { farmUID: string }) {
  const query = useQuery(tanksQuery(farmUID));
  // What is reckoned comes later than what is measured, and nothing waits for it.
  const found = useTankInsights(farmUID);
  const { look, order } = useTankView();
  const now = useNow();
  const zone = useFarmZone(farmUID);
  const canOpen = useCan(needs.readSensors, farmUID);
  const canMap = useCan(needs.tankMap, farmUID);
  const drawn = useGrowing(query.data?.length ?? 0, DRAWN_AT_ONCE);
  return (
    <StateView
      query={query}
      failed="The tanks couldn't be loaded"
      skeleton={<Skeletons />}
      isEmpty={(tanks) => tanks.length === 0}
      empty={
        <Empty title="No items to display.">
          Add a tank's level sensor to this farm and its card appears here.
        </Empty>
      }
    >
      {(tanks) => {
        const ordered = order === 'worst' ? worstFirst(tanks, found, now) : byName(tanks);
        if (look === 'list')
          return (
            <>
              {tanks.length > 1 && <TankView />}
              <TankRows tanks={ordered} found={found} zone={zone} canOpen={canOpen} />
            </>
          );
        return (
          <>
            {tanks.length > 1 && <TankView />}
            <ul className={classes.grid}>
              {ordered.slice(0, drawn).map((tank) => (
                <li key={tank._id}>
                  <TankCard
                    tank={tank}
                    insight={found.get(tank._id)}
                    farmUID={farmUID}
                    zone={zone}
                    canOpen={canOpen}
                    canMap={canMap}
                  />
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </StateView>
  );
}

function Skeletons() {
  return (
    <div className={classes.grid} aria-hidden="true">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className={classes.skeleton}>
          <i />
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { saveSettings, useSettings } from '../../preferences/settings.queries.ts';
import classes from './tank-card.module.css';

/** How this person wants to see tanks; without a choice cards by name, on a phone a list with the worst first. */
export function useTankView(): { look: 'cards' | 'list'; order: 'worst' | 'name' } {
  const { tankLook, tankOrder } = useSettings();
  const isMobile = useIsMobile();
  const look = tankLook ?? (isMobile ? 'list' : 'cards');
  return { look, order: tankOrder ?? (look === 'list' ? 'worst' : 'name') };
}

const looks = [
  { value: 'list', label: 'List' },
  { value: 'cards', label: 'Cards' },
] as const;
const orders = [
  { value: 'worst', label: 'Worst first' },
  { value: 'name', label: 'By name' },
] as const;

/** The choice of it, which is kept with the person's settings. */
export function TankView() {
  const queryClient = useQueryClient();
  const { look, order } = useTankView();
  return (
    <div className={classes.view}>
      <Segmented
        aria-label="Order of the tanks"
        value={order}
        data={orders}
        onChange={(tankOrder) => saveSettings(queryClient, { tankOrder })}
      />
      <Segmented
        aria-label="Tanks as"
        value={look}
        data={looks}
        onChange={(tankLook) => saveSettings(queryClient, { tankLook })}
      />
    </div>
  );
}

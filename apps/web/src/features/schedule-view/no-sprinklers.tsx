import { Empty } from '../../ui/state-view.tsx';

/** A farm that has nothing to water yet. */
export function NoSprinklers() {
  return (
    <Empty title="No sprinklers to water yet">
      Once the farm has sprinklers and they hold a schedule, what each will water is shown here.
    </Empty>
  );
}

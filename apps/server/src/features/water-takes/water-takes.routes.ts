import {
  addRegisterReading,
  addTake,
  changeTake,
  deleteRegisterReading,
  deleteTake,
  listTakes,
  noteGap,
  takeDays,
  takeRows,
} from '@headrace/contract/water-takes';
import type { Mount } from '../../http/mount.ts';
import { byOf } from '../devices/replies.ts';
import type { WaterTakesService } from './water-takes.service.ts';

export function waterTakesRoutes(mount: Mount, takes: WaterTakesService): void {
  mount(listTakes, ({ farm }) => takes.list(farm.farm));
  mount(addTake, (call) => takes.add(call.farm.farm, call.body, byOf(call)));
  mount(changeTake, (call) => takes.change(call.farm.farm, call.body, byOf(call)));
  mount(deleteTake, async (call) => ({
    deleted: await takes.remove(call.farm.farm, call.query.uid, byOf(call)),
  }));
  mount(addRegisterReading, (call) => takes.addReading(call.farm.farm, call.body, byOf(call)));
  mount(deleteRegisterReading, ({ farm, query }) => takes.removeReading(farm.farm, query.readingUID));
  mount(noteGap, (call) => takes.noteGap(call.farm.farm, call.body, byOf(call)));
  mount(takeRows, ({ farm, query, now }) => takes.rows(farm.farm, query, now));
  mount(takeDays, ({ farm, query, now }) => takes.days(farm.farm, query, now));
}

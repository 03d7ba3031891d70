import {
  addRegisterReading,
  addTake,
  changeTake,
  deleteRegisterReading,
  deleteTake,
  filledRows,
  listTakePacks,
  listTakes,
  makeTakePack,
  noteGap,
  takeDays,
  takePack,
  takePackFile,
  takeRows,
} from '@headrace/contract/water-takes';
import type { Mount } from '../../http/mount.ts';
import { byOf } from '../devices/replies.ts';
import type { PacksService } from './packs.service.ts';
import type { TakeNotesService } from './take-notes.service.ts';
import type { TakenService } from './taken.service.ts';
import type { TakesService } from './takes.service.ts';

interface Services {
  readonly takes: TakesService;
  readonly notes: TakeNotesService;
  readonly taken: TakenService;
  readonly packs: PacksService;
}

export function waterTakesRoutes(mount: Mount, { takes, notes, taken, packs }: Services): void {
  mount(listTakes, ({ farm }) => takes.list(farm.farm));
  mount(addTake, (call) => takes.add(call.farm.farm, call.body, byOf(call)));
  mount(changeTake, (call) => takes.change(call.farm.farm, call.body, byOf(call)));
  mount(deleteTake, async (call) => ({
    deleted: await takes.remove(call.farm.farm, call.query.uid, byOf(call)),
  }));
  mount(addRegisterReading, (call) => notes.addReading(call.farm.farm, call.body, byOf(call)));
  mount(deleteRegisterReading, (call) =>
    notes.removeReading(call.farm.farm, call.query.readingUID, byOf(call)),
  );
  mount(noteGap, (call) => notes.noteGap(call.farm.farm, call.body, byOf(call)));
  mount(takeRows, ({ farm, query, now }) => taken.rows(farm.farm, query, now));
  mount(takeDays, ({ farm, query, now }) => taken.days(farm.farm, query, now));
  mount(takePack, ({ farm, caller, query, now, gone }) =>
    packs.pack(farm.farm, query, { accountId: caller.accountId, now, over: gone }),
  );
  mount(makeTakePack, ({ farm, caller, body, now }) =>
    packs.ask(farm.farm, body, { accountId: caller.accountId, now }),
  );
  mount(listTakePacks, ({ farm, caller, query }) => packs.list(farm.farm, query.uid, caller.accountId));
  mount(filledRows, ({ farm, query, now }) => packs.filled(farm.farm, query.uid, now));
  mount(takePackFile, ({ farm, query }) => packs.file(farm.farm, query.id));
}

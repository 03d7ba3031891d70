import {
  irrigationDiary,
  irrigationDiaryFile,
  lateClosers,
  wateringProof,
  wateringProofFile,
} from '@headrace/contract/irr-diary';
import type { Mount } from '../../http/mount.ts';
import type { IrrDiaryService } from './irr-diary.service.ts';

export function irrDiaryRoutes(mount: Mount, diary: IrrDiaryService): void {
  mount(irrigationDiary, ({ farm, query, now }) => diary.page(farm.farm, query, now));
  mount(irrigationDiaryFile, async ({ farm, query, now }) => ({
    fileName: `Irrigation diary of ${farm.farm.name}.csv`,
    content: diary.file(farm.farm, query, now),
  }));
  mount(lateClosers, async ({ farm, now }) => ({ units: await diary.lateClosers(farm.farm, now) }));
  mount(wateringProof, ({ farm, now }) => diary.proof(farm.farm, now));
  mount(wateringProofFile, async ({ farm, now }) => ({
    fileName: `Last watering of ${farm.farm.name}.csv`,
    content: await diary.proofFile(farm.farm, now),
  }));
}

import { basename } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** Files that wait longest: a short one that waits two minutes must not be the last to start. */
const slowest = [
  'valve-closes-by-itself',
  'schedule-screens-are-accessible',
  'farm-screens-are-accessible',
  'morning-look',
  'two-copies',
  'device-screens-are-accessible',
  'account-screens-are-accessible',
  'sends-to-three-hundred',
  'killed-server',
  'two-servers',
  'full-disk',
  'backup.process',
  'outages',
  'frozen-database',
];
const rank = ({ moduleId }) => {
  const place = slowest.findIndex((name) => basename(moduleId).startsWith(`${name}.`));
  return place === -1 ? slowest.length : place;
};

/**
 * Vitest's order of files, but the slowest first within each project. By itself it goes by size where it has no times of
 * an earlier run, as after a fresh clone.
 */
export class SlowFilesFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).toSorted((a, b) => rank(a) - rank(b)),
    );
  }
}

import { cpus } from 'node:os';
import { benchAlerts } from './alerts.ts';
import { benchBroker } from './broker.ts';
import { benchCharts, benchStall } from './charts.ts';
import { benchCodecs } from './codecs.ts';
import { benchBackups } from './backups.ts';
import { benchDiary } from './diary.ts';
import { benchDrill } from './drill.ts';
import { benchFiles } from './files.ts';
import { benchSilentConnections } from './silent-connections.ts';
import { benchIngest } from './ingest.ts';
import { benchLists } from './lists.ts';
import { benchLive } from './live.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchPhone } from './phone.ts';
import { allGatesMet } from './report.ts';
import { benchRefused } from './refused.ts';
import { benchReports } from './reports.ts';
import { benchRestart } from './restart.ts';
import { benchSprinklers } from './sprinklers.ts';
import { benchSnapshots } from './snapshots.ts';
import { benchSchedules } from './schedules.ts';
import { type Stand, startStand } from './stand.ts';
import { benchTakes } from './takes.ts';
import { benchTimelineScreen } from './timeline.ts';
import { benchUplinks } from './uplinks.ts';
import { benchYear } from './year.ts';

const parts: Record<string, (stand: Stand) => Promise<void>> = {
  ingest: benchIngest,
  broker: benchBroker,
  uplinks: benchUplinks,
  live: benchLive,
  lists: benchLists,
  schedules: benchSchedules,
  charts: benchCharts,
  stall: benchStall,
  codecs: benchCodecs,
  year: benchYear,
  silent: benchSilentConnections,
  neighbours: benchNeighbours,
  restart: benchRestart,
  sprinklers: benchSprinklers,
  refused: benchRefused,
  diary: benchDiary,
  phone: benchPhone,
  snapshots: benchSnapshots,
  files: benchFiles,
  backups: benchBackups,
  drill: benchDrill,
  reports: benchReports,
  takes: benchTakes,
  alerts: benchAlerts,
  timeline: benchTimelineScreen,
};

/** `npm run bench` runs all; `npm run bench -- ingest live` those named. `stall` reads what `charts` filled. */
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(', ')}: choose from ${Object.keys(parts).join(', ')}.`);

process.stdout.write(`${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}\n`);
const stand = await startStand();
try {
  for (const [name, run] of Object.entries(parts)) {
    if (wanted.length === 0 || wanted.includes(name)) await run(stand);
  }
} finally {
  await stand.stop();
}
process.exitCode = allGatesMet() ? 0 : 1;

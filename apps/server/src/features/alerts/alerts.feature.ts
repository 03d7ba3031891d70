import type { AlertKind } from '@headrace/contract/rules/alerts/alert-kinds';
import type { Core, Feature } from '../../feature.ts';
import type { AccessService } from '../access/access.service.ts';
import type { FlowService } from '../flow/flow.service.ts';
import type { InsightsService } from '../insights/insights.service.ts';
import type { IrrDiaryService } from '../irr-diary/irr-diary.service.ts';
import type { Messages } from '../messages/messages.ts';
import type { SprinklerStatusService } from '../sprinklers/sprinkler-status.service.ts';
import type { TanksService } from '../tanks/tanks.service.ts';
import type { TakeWatch } from '../water-takes/take-watch.ts';
import { ALERT_RETENTION_DAYS } from '@headrace/contract/limits';
import { forgetIncidents } from './forget-incidents.ts';
import { purgeAnswerKeys } from './answer-keys.ts';
import { type AnswersService, createAnswersService } from './answers.service.ts';
import { createAlertRulesRepo } from './alert-rules.repo.ts';
import { createAlertRulesService } from './alert-rules.service.ts';
import { alertsRoutes, answersRoutes, pausesRoutes, trialRoutes, waysRoutes } from './alerts.routes.ts';
import type { ForecastSource } from './farm-view.ts';
import { createHeldBack } from './held-back.ts';
import { createIncidentsRepo } from './incidents.repo.ts';
import { createIncidentsService } from './incidents.service.ts';
import { takeDueSteps } from './due-steps.ts';
import { createLateLooker } from './late-looker.ts';
import { readLeaks, type FarmLeaks } from './leaks.repo.ts';
import { createLooker } from './looker.ts';
import { sendDigests } from './digest.ts';
import { cancelNotTheirs } from './not-theirs.ts';
import { createPausesService } from './pauses.service.ts';
import { createPreferencesService } from './preferences.service.ts';
import { createTrialService } from './trial.service.ts';
import { createWatchRepo } from './watch.repo.ts';

const EACH_2_SECONDS = 2000;
const EACH_MINUTE = 60_000;
const EACH_5_MINUTES = 300_000;
const EACH_HOUR = 3_600_000;

export interface AlertsParts {
  readonly messages: Messages;
  readonly access: { readonly service: AccessService };
  readonly sprinklers: { readonly service: SprinklerStatusService };
  readonly tanks: { readonly service: TanksService };
  readonly insights: { readonly service: InsightsService };
  readonly flow: { readonly service: FlowService };
  readonly weather: { readonly service: ForecastSource };
  readonly diary: { readonly service: IrrDiaryService };
  readonly waterTakes: { readonly watch: TakeWatch };
  /** For how long what is over is kept; as many days as usual unless said. */
  readonly alertRetentionDays?: number;
}

export interface AlertsFeature extends Feature {
  readonly answers: AnswersService;
  /** Leaks of tanks that were told of. */
  readonly leaks: (farmId: number, asked: Parameters<typeof readLeaks>[2]) => Promise<FarmLeaks>;
}

/** What people want to be told, what became so, and who is on it. */
export function createAlertsFeature({ db, ofJobs, now, log }: Core, parts: AlertsParts): AlertsFeature {
  const { messages, alertRetentionDays: retentionDays = ALERT_RETENTION_DAYS } = parts;
  const sources = {
    sprinklers: parts.sprinklers.service,
    tanks: parts.tanks.service,
    insights: parts.insights.service,
    flow: parts.flow.service,
    weather: parts.weather.service,
    diary: parts.diary.service,
    takes: parts.waterTakes.watch,
  };
  const repo = createWatchRepo(ofJobs.db);
  const isOfTakes = (kind: AlertKind) => kind === 'TakeLimit' || kind === 'TakeGap';
  const looking = { db: ofJobs.db, repo, messages, ...sources, log };
  const looker = createLooker({ ...looking, isOurs: (kind) => !isOfTakes(kind) });
  // A water year of each take is reckoned: no farm's other alerts wait for that.
  const takesLooker = createLooker({ ...looking, isOurs: isOfTakes });
  const lookLate = createLateLooker({ db: ofJobs.db, repo, log });
  const rulesRepo = createAlertRulesRepo(db);
  const rules = createAlertRulesService({
    rules: rulesRepo,
    messages,
    onSaved: () => {
      looker.saved();
      takesLooker.saved();
    },
  });
  const incidents = createIncidentsService(createIncidentsRepo(db), messages, parts.access.service);
  const answers = createAnswersService(db, incidents);
  let wake = () => {};
  /** A word of a device is looked at soon; what time brings has its own turns. */
  async function run(isWoken = false): Promise<void> {
    await looker.look(now(), isWoken);
    if (!isWoken) await takeDueSteps({ db: ofJobs.db, messages, log }, now());
  }
  return {
    answers,
    leaks: (farmId, asked) => readLeaks(db, farmId, asked),
    onCommitted: (farmIds) => {
      looker.heard(farmIds);
      wake();
    },
    routes: (mount) => {
      alertsRoutes(mount, rules, incidents);
      waysRoutes(mount, createPreferencesService(db, messages), createHeldBack(db, parts.access.service));
      answersRoutes(mount, answers);
      trialRoutes(mount, createTrialService(db, rules));
      pausesRoutes(mount, createPausesService(db, rulesRepo, messages));
    },
    jobs: [
      {
        name: 'alerts',
        everyMs: EACH_2_SECONDS,
        run,
        wakes: (given) => {
          wake = given;
        },
      },
      { name: 'alerts of water takes', everyMs: EACH_MINUTE, run: () => takesLooker.look(now()) },
      {
        name: 'alert digests',
        everyMs: EACH_5_MINUTES,
        run: async () => {
          await lookLate(now());
          await sendDigests({ db: ofJobs.db, messages, diary: parts.diary.service, log }, now());
        },
      },
      {
        name: 'alerts that are not theirs any more',
        everyMs: EACH_2_SECONDS,
        run: () => cancelNotTheirs(ofJobs.db, messages, now()),
      },
      {
        name: 'answer keys that are too old',
        everyMs: EACH_HOUR,
        run: async () => void (await purgeAnswerKeys(ofJobs.db, now())),
      },
      {
        name: 'alerts that are long over',
        everyMs: EACH_HOUR,
        run: () => forgetIncidents(ofJobs.db, retentionDays, now()),
      },
    ],
  };
}

import { ADVICE_DAYS } from '@headrace/contract/irrigation-advice';
import { hourOfDay } from '@headrace/contract/rules/farm-time';
import type { FarmRow } from '../../db/schema.ts';
import { dayText } from '../farm-clock/day-text.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { IrrDiaryService } from '../irr-diary/irr-diary.service.ts';
import type { WeatherService } from '../weather/weather.service.ts';
import { dayAfter, daysFrom } from './advice-days.ts';
import type { AdviceWriter } from './advice-writer.repo.ts';
import type { AdviceRepo } from './advice.repo.ts';
import type { AdviceService } from './advice.service.ts';
import { createGivenDays } from './given-days.ts';

/** A day's advice is written down from then on, hours of the farm's clock. */
const ADVISED_FROM = 6;

export interface DayNotesParts {
  readonly repo: AdviceRepo;
  readonly writer: AdviceWriter;
  readonly diary: Pick<IrrDiaryService, 'applied'>;
  readonly weather: Pick<WeatherService, 'forecast' | 'pastEt0'>;
  readonly advice: Pick<AdviceService, 'advice'>;
}

/** Writes down what was given on each day that a balance needs, each day's weather as it was forecast, and its advice. */
export function createDayNotes({ repo, writer, diary, weather, advice }: DayNotesParts) {
  const given = createGivenDays(writer, diary);
  /** From the earliest day of which people know what the soil lacked; those that late reports may change are reckoned anew, older ones only for groups without them. */
  async function reckon(farm: FarmRow, now: Date): Promise<void> {
    const zone = toZone(farm);
    const today = dayText(zone, now.getTime());
    const yesterday = dayAfter(today, -1);
    const known = (await repo.settings(farm.id)).flatMap(({ body }) => body.knownDay ?? []);
    const [first] = [...known, yesterday].toSorted();
    const earliest = dayAfter(today, -ADVICE_DAYS.most);
    const days = daysFrom(first && first > earliest ? first : earliest, yesterday);
    await given(farm, days, now);
  }

  async function noteWeather(farm: FarmRow, now: Date): Promise<void> {
    await writer.notePastEt0(farm.id, await weather.pastEt0(farm, now), now);
    const forecast = await weather.forecast(farm, now);
    const today = dayText(toZone(farm), now.getTime());
    const day = forecast?.days.find(({ date }) => date === today);
    if (forecast && day)
      await writer.noteWeather(farm.id, day, { source: forecast.source, isDemo: forecast.isDemo, now });
  }

  async function noteAdvice(farm: FarmRow, now: Date): Promise<void> {
    if (hourOfDay(toZone(farm), now.getTime()) < ADVISED_FROM) return;
    const { day, groups } = await advice.advice(farm, now);
    const made = groups.flatMap(({ groupUID, advice: told }) =>
      told
        ? [{ groupUid: groupUID, cycles: told.cycles, mm: told.mm, isHeldBack: told.heldBackUntil !== null }]
        : [],
    );
    await writer.noteAdvice(farm.id, day, made, now);
  }

  return {
    /** After somebody entered something: at once, not at the next hour. */
    async catchUp(farm: FarmRow, now: Date): Promise<void> {
      await noteWeather(farm, now);
      await reckon(farm, now);
    },

    /** Of all farms that use advice. One that fails holds up no other. */
    async noteAll(now: Date): Promise<void> {
      const failures: unknown[] = [];
      for (const farmId of await writer.farms())
        try {
          const farm = await writer.farm(farmId);
          await noteWeather(farm, now);
          await reckon(farm, now);
          await noteAdvice(farm, now);
        } catch (error) {
          failures.push(error);
        }
      if (failures.length > 0) throw new AggregateError(failures, 'Not all days could be noted for advice');
    },
  };
}
export type DayNotes = ReturnType<typeof createDayNotes>;

import type { ServerFrame } from '@headrace/contract/live';
import type { Core, Feature, FeatureSources } from './feature.ts';
import { createLiveHub, type LiveHub } from './live/live-hub.ts';

/** Open pages, and what they are told when they open, by what the features give. */
export const hubOf = (core: Core, features: readonly Feature[]): LiveHub =>
  createLiveHub(
    {
      ...sourcesOf(features),
      openingFrames: (accountId, now) => framesOf(features, accountId, now),
    },
    core,
  );

function sourcesOf(features: readonly Feature[]): FeatureSources {
  const given: Partial<FeatureSources> = Object.assign({}, ...features.map(({ liveSources }) => liveSources));
  const one = <K extends keyof FeatureSources>(name: K): FeatureSources[K] => {
    const source = given[name];
    if (!source) throw new Error(`No feature of app.ts gives ${name} in its liveSources.`);
    return source;
  };
  return {
    callerOf: one('callerOf'),
    grantsOf: one('grantsOf'),
    notifications: one('notifications'),
    setNotificationPreferences: one('setNotificationPreferences'),
    sprinklers: one('sprinklers'),
    sprinklersSentTo: one('sprinklersSentTo'),
    sprinklerCounts: one('sprinklerCounts'),
  };
}

async function framesOf(features: readonly Feature[], accountId: number, now: Date): Promise<ServerFrame[]> {
  const frames: ServerFrame[] = [];
  for (const { openingFrames } of features) frames.push(...((await openingFrames?.(accountId, now)) ?? []));
  return frames;
}

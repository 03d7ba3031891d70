import { useQuery } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import { needs } from '@headrace/contract/permissions';
import type { SensorRecord } from '@headrace/contract/sensors';
import { wholeText } from '@headrace/contract/rules/number-text';
import { Age } from '../../ui/age.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { useCan } from '../../access/permissions.ts';
import { codecsQuery, decodingQuery } from './codecs.queries.ts';
import { DecodeAnew, WaitingMessages } from './decode-anew.tsx';
import { DecodingForm } from './decoding-form.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './codecs.module.css';

type Decoding = Api['GET /sensor/decoding']['reply'];

/** How a LoRaWAN sensor is heard, what it sent last, and how that becomes values. */
export function DecodingPanel({ sensor }: { sensor: SensorRecord }) {
  const decoding = useQuery(decodingQuery(sensor._id));
  const codecs = useQuery(codecsQuery(sensor.farmUID));
  const mayEdit = useCan(needs.editSensors, sensor.farmUID);
  const failed = decoding.isError ? decoding : codecs;
  const data = decoding.data && codecs.data ? { decoding: decoding.data, codecs: codecs.data } : undefined;
  return (
    <Panel title="LoRaWAN">
      <StateView
        query={{ ...failed, data }}
        failed="How this sensor is decoded couldn't be loaded"
        skeleton={<Skeleton blockPx={160} />}
      >
        {(all) => (
          <>
            <LastMessage decoding={all.decoding} />
            <WaitingMessages waiting={all.decoding.waiting} />
            {mayEdit && <DecodingForm sensor={sensor} decoding={all.decoding} codecs={all.codecs} />}
            {mayEdit && <DecodeAnew deviceId={sensor._id} decoding={all.decoding} />}
          </>
        )}
      </StateView>
    </Panel>
  );
}

function LastMessage({ decoding: { lastUplink, network } }: { decoding: Decoding }) {
  if (!lastUplink)
    return (
      <p className={classes.dim}>
        No message yet. It shows here as soon as the network server has sent one for this DevEUI.
      </p>
    );
  const faults = [...lastUplink.problems, ...lastUplink.warnings];
  return (
    <>
      <p>
        <Age at={lastUplink.at}>Last message</Age>, FPort {lastUplink.fPort}, frame{' '}
        {wholeText(lastUplink.fCnt)}, decoded by {lastUplink.decodedBy}
      </p>
      {faults.length > 0 && (
        <ul className={classes.fault}>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {network.length > 0 && (
        <dl className={classes.facts}>
          {network.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="num">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <details className={classes.details}>
        <summary>The message as it was decoded</summary>
        <pre className={classes.code}>{JSON.stringify(lastUplink.data, null, 2)}</pre>
        {lastUplink.bytes && <pre className={classes.code}>{lastUplink.bytes}</pre>}
      </details>
    </>
  );
}

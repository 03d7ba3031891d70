import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LONG_NAME_MAX } from '@headrace/contract/rules/device-form';
import { mayBeLorawan } from '@headrace/contract/rules/sensor-settings';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { SensorRecord } from '@headrace/contract/sensors';
import { call } from '../../api/client.ts';
import { AreaField, Columns, FormSection, NumberField, SelectField, TextField } from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { type RecordForm as Form, useRecordForm } from '../../forms/use-record-form.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { toast } from '../../ui/toasts.ts';
import { deviceKinds, listPath } from '../../device-records/device-kinds.ts';
import { useGatewayChoices, useNames } from '../../device-records/choices.queries.ts';
import { sensorTypeOptions } from '../../device-records/sensor-labels.ts';
import { withStatus } from '../../api/with-status.ts';
import { sensorQuery, sensorsQuery } from '../../device-records/sensors.queries.ts';
import { CommsModeField } from '../devices/comms-mode-field.tsx';
import { newIdentity } from '../devices/device-values.ts';
import { EditPage, PageTitle, useLeaveForList } from '../devices/edit-page.tsx';
import { useEditForm } from '../devices/use-edit-form.ts';
import { GatewayField } from '../devices/gateway-field.tsx';
import { IdentityFields } from '../devices/identity-fields.tsx';
import { PlaceField } from '../placing/place-field.tsx';
import { findMac } from '../devices/serial-lookup.ts';
import { useSeries } from '../devices/use-series.ts';
import { useFarPlace } from '../placing/use-far-place.ts';
import { SensorSettingsFields } from './sensor-settings.tsx';
import {
  validateSensor,
  entryOf,
  newSensor,
  sensorText,
  type SensorValues,
  valuesOf,
  withMac,
  withType,
} from './sensor-values.ts';
import { SwitchNow } from './switch-now.tsx';

const DecodingPanel = lazyPart(() => import('../codecs/decoding-panel.tsx').then((m) => m.DecodingPanel), {
  failed: "How its messages are decoded couldn't be loaded",
});
const DeviceLetters = lazyPart(
  () => import('../dead-letters/letters-panel.tsx').then((m) => m.DeviceLetters),
  {
    failed: "Messages that couldn't be read couldn't be loaded",
  },
);
const SensorHistory = lazyPart(() => import('./sensor-history.tsx').then((m) => m.SensorHistory), {
  failed: "Its history couldn't be loaded",
});
const SensorMetrics = lazyPart(() => import('./sensor-metrics.tsx').then((m) => m.SensorMetrics), {
  failed: "What it reported couldn't be loaded",
});
const kind = deviceKinds.sensor;

/** Tells of a failure in the specification's words; what the server says stands at the form. */
async function withToast<R>(text: string, calling: Promise<R>): Promise<R> {
  try {
    return await calling;
  } catch (error) {
    toast.error(withStatus(text, error));
    throw error;
  }
}

/** `/sensor-device/new/{farmUID}` */
export function NewSensorPage({ farmUID }: { farmUID: string }) {
  const queryClient = useQueryClient();
  const series = useSeries({ farmUID, list: sensorsQuery(farmUID), nameMax: LONG_NAME_MAX });
  const leave = useLeaveForList(kind, farmUID);
  const form = useRecordForm({
    ask: useFarPlace(farmUID),
    draftKey: `sensor.new.${farmUID}`,
    initial: newSensor,
    validate: validateSensor,
    save: (values) =>
      withToast('Failed to create sensor', call('POST /sensor', { body: { farmUID, ...entryOf(values) } })),
    onSaved: () => {
      toast.success('Sensor added.', { id: 'added' });
      leave();
    },
    complete: (values) => findMac(queryClient, 'sensor', values, values.type),
    another: {
      next: (_reply, saved) => ({ ...saved, ...newIdentity, ...series.next(saved) }),
      focus: 'serialNumber',
    },
  });
  return (
    <>
      <PageTitle kind={kind} farmUID={farmUID} title="New sensor" />
      <SensorForm form={form} farmUID={farmUID} />
    </>
  );
}

/** `/sensor-device/{farmUID}/{id}` */
export function SensorPage({ farmUID, id }: { farmUID: string; id: string }) {
  const query = useQuery(sensorQuery(id));
  return (
    <EditPage
      kind={kind}
      farmUID={farmUID}
      query={query}
      failed={withStatus('Failed to fetch sensor', query.error)}
      remove={({ _id }) =>
        withToast('Failed to delete sensor', call('DELETE /sensor', { query: { deviceId: _id } }))
      }
    >
      {(sensor) => (
        <>
          {sensor.type === sensorTypes.SWITCH && <SwitchNow sensor={sensor} />}
          <EditSensor key={sensor._id} sensor={sensor} />
          <SensorHistory key={`history ${sensor._id}`} sensor={sensor} />
          <SensorMetrics key={`said ${sensor._id}`} sensor={sensor} />
          <DeviceLetters farmUID={sensor.farmUID} mac={sensor.macAddress} />
          {mayBeLorawan(sensor.macAddress) && (
            <DecodingPanel key={`decoding ${sensor._id}`} sensor={sensor} />
          )}
        </>
      )}
    </EditPage>
  );
}

function EditSensor({ sensor }: { sensor: SensorRecord }) {
  const form = useEditForm({
    kind,
    record: sensor,
    valuesOf,
    validate: validateSensor,
    ask: useFarPlace(sensor.farmUID),
    save: (values, version) =>
      withToast(
        'Failed to update sensor',
        call('PUT /sensor', { body: { id: sensor._id, version, ...entryOf(values) } }),
      ),
    queryKey: (id) => sensorQuery(id).queryKey,
  });
  return <SensorForm form={form} farmUID={sensor.farmUID} sensor={sensor} />;
}

interface SensorFormProps {
  form: Form<SensorValues>;
  farmUID: string;
  sensor?: SensorRecord | undefined;
}

function SensorForm({ form, farmUID, sensor }: SensorFormProps) {
  const { field, values, patch, error, touch } = form;
  const gateways = useNames(useGatewayChoices(farmUID));
  return (
    <RecordForm form={form} label="Sensor" labels={sensorText(gateways)} back={listPath(kind, farmUID)}>
      <Columns
        first={
          <FormSection>
            <TextField {...field('name')} label="Name" required maxLength={LONG_NAME_MAX} />
            <AreaField {...field('description')} label="Description" rows={1} />
            <SelectField
              {...field('type')}
              label="Type"
              options={sensorTypeOptions}
              onChange={(type) => patch(withType(values, type))}
            />
            <IdentityFields
              kind="sensor"
              farmUID={farmUID}
              serial={field('serialNumber')}
              mac={{ ...field('macAddress'), onChange: (mac) => patch(withMac(values, mac)) }}
              own={sensor}
              macLabel="MAC address or DevEUI"
              macHint="12 or 16 hex digits."
            />
            <NumberField
              {...field('channel')}
              label="Channel"
              hint="1 to 9 or 16 to 25; empty becomes 3"
              isWhole
            />
            <CommsModeField {...field('commsMode')} hasLora />
            <GatewayField {...field('gatewayUID')} farmUID={farmUID} />
          </FormSection>
        }
        aside={
          <FormSection>
            <PlaceField
              {...field('place')}
              farmUID={farmUID}
              own={sensor?._id}
              shape="tank"
              device={values.name}
            />
          </FormSection>
        }
      >
        <SensorSettingsFields
          type={Number(values.type)}
          value={values.settings}
          onChange={(settings) => patch({ settings })}
          error={error}
          touch={touch}
        />
      </Columns>
    </RecordForm>
  );
}

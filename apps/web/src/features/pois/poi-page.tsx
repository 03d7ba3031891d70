import { useQuery } from '@tanstack/react-query';
import type { Poi } from '@headrace/contract/pois';
import { LONG_NAME_MAX } from '@headrace/contract/rules/device-form';
import { call } from '../../api/client.ts';
import { AreaField, ChoiceField, Columns, FormSection, TextField, Wide } from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { type RecordForm as Form, useRecordForm } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { deviceKinds, listPath } from '../../device-records/device-kinds.ts';
import { poiQuery, poisQuery } from '../../device-records/pois.queries.ts';
import { iconOptions } from '../../device-records/poi-icons.ts';
import { EditPage, PageTitle, useLeaveForList } from '../devices/edit-page.tsx';
import { useEditForm } from '../devices/use-edit-form.ts';
import { PlaceField } from '../placing/place-field.tsx';
import { useSeries } from '../devices/use-series.ts';
import { useFarPlace } from '../placing/use-far-place.ts';
import { ConvertPoi } from './convert-poi.tsx';
import { validatePoi, entryOf, newPoi, poiLabels, type PoiValues, valuesOf } from './poi-values.ts';

const kind = deviceKinds.poi;

/** `/pois/new/{farmUID}` */
export function NewPoiPage({ farmUID }: { farmUID: string }) {
  const series = useSeries({ farmUID, list: poisQuery(farmUID), nameMax: LONG_NAME_MAX });
  const leave = useLeaveForList(kind, farmUID);
  const form = useRecordForm({
    ask: useFarPlace(farmUID),
    draftKey: `poi.new.${farmUID}`,
    initial: newPoi,
    validate: validatePoi,
    save: (values) => call('POST /poi', { body: { farmUID, ...entryOf(values) } }),
    onSaved: () => {
      toast.success('Point of interest added.', { id: 'added' });
      leave();
    },
    another: {
      next: (_reply, saved) => ({ ...saved, description: '', ...series.next(saved) }),
      focus: 'name',
    },
  });
  return (
    <>
      <PageTitle kind={kind} farmUID={farmUID} title="New point of interest" />
      <PoiForm form={form} farmUID={farmUID} />
    </>
  );
}

/** `/pois/{farmUID}/{id}` */
export function PoiPage({ farmUID, id }: { farmUID: string; id: string }) {
  const query = useQuery(poiQuery(id));
  const leave = useLeaveForList(kind, farmUID);
  return (
    <EditPage
      kind={kind}
      farmUID={farmUID}
      query={query}
      remove={({ _id }) => call('DELETE /poi', { query: { poiUID: _id } })}
      renderActions={(poi) => <ConvertPoi poi={poi} onDone={leave} />}
    >
      {(poi) => <EditPoi key={poi._id} poi={poi} />}
    </EditPage>
  );
}

function EditPoi({ poi }: { poi: Poi }) {
  const form = useEditForm({
    kind,
    record: poi,
    valuesOf,
    validate: validatePoi,
    ask: useFarPlace(poi.farmUID),
    save: (values, version) => call('PUT /poi', { body: { id: poi._id, version, ...entryOf(values) } }),
    queryKey: (id) => poiQuery(id).queryKey,
  });
  return <PoiForm form={form} farmUID={poi.farmUID} own={poi._id} />;
}

function PoiForm({ form, farmUID, own }: { form: Form<PoiValues>; farmUID: string; own?: string }) {
  const { field, values } = form;
  return (
    <RecordForm form={form} label="Point of interest" labels={poiLabels} back={listPath(kind, farmUID)}>
      <Columns
        first={
          <FormSection>
            <TextField {...field('name')} label="Name" required maxLength={LONG_NAME_MAX} />
            <AreaField {...field('description')} label="Description" rows={1} />
            <Wide>
              <ChoiceField {...field('icon')} label="Kind" options={iconOptions} />
            </Wide>
          </FormSection>
        }
        aside={
          <FormSection>
            {' '}
            <PlaceField
              {...field('place')}
              farmUID={farmUID}
              own={own}
              shape="poi"
              device={values.name}
              required
            />
          </FormSection>
        }
      />
    </RecordForm>
  );
}

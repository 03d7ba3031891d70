import { describe, it } from 'vitest';
import { demoStage, looks, screensIn } from './support/accessible-screens.ts';

/** A farm with a schedule template, and one without. */
let farm: string;
let bare: string;
const open = demoStage({ historyDays: 1 }, async (owner) => {
  const farms = await owner.get('GET /farms-card');
  for (const { _id: farmUID } of farms) {
    const { groups } = await owner.get('GET /groups', { farmUID });
    if (groups.length === 0) bare = farmUID;
    else if (!farm) {
      farm = farmUID;
      const body = {
        name: 'Summer',
        groups: groups.map(({ _id }) => ({ uid: _id })),
        settings: { duration: 28 },
      };
      await owner.send('POST /schedule-template', { farmUID, ...body });
    }
  }
  if (!farm || !bare) throw new Error('The demo has other farms than these tests were written for');
});

describe.each(looks)('in $scheme at $width px axe finds nothing on', (shape) => {
  const look = screensIn(open, shape);

  it('the schedule templates of a farm, and what is asked of one', async () => {
    await look.follow(`/scheduler/${farm}`);
    await look.page.getByRole('list', { name: 'Schedule templates' }).waitFor();
    await look.expectNoFaults();
    await look.button('Copy Summer').click();
    await look.page.getByRole('dialog', { name: 'Copy Summer' }).getByRole('textbox').waitFor();
    await look.expectNoFaults();
    await look.button('Cancel').click();
    await look.page.getByRole('dialog').waitFor({ state: 'detached' });
    await look.button('Delete Summer').click();
    await look.button('Delete template').waitFor();
    await look.expectNoFaults();
    await look.button('Cancel').click();
    await look.page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('a farm without schedule templates', async () => {
    await look.follow(`/scheduler/${bare}`);
    await look.page.getByText('No schedule templates yet.').waitFor();
    await look.expectNoFaults();
  });

  it('the timeline of a farm’s watering, its sends and its water supply', async () => {
    await look.follow(`/schedules/view/${farm}`);
    await look.page
      .getByText(shape.width < 768 ? 'Now' : 'What the bars mean', { exact: true })
      .or(look.page.getByLabel('What the bars mean'))
      .first()
      .waitFor();
    await look.expectNoFaults();
    await look.follow(`/schedules/view/${farm}?tab=supply`);
    await look.button('Add a time for water').click();
    await look.expectNoFaults();
    await look.follow(`/schedules/view/${farm}?tab=sends`);
    await look.page.getByText('No schedules have been sent yet').waitFor();
    await look.expectNoFaults();
  });
});

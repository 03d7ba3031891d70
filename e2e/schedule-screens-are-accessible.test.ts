import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoStage, looks, screensIn } from './support/accessible-screens.ts';
import { PHONE } from './support/browser.ts';
import { downloadsOf, namedButtons } from './support/downloads.ts';

/** A farm with a schedule template, and one without. */
let farm: string;
let bare: string;
/** Its set. */
let summer: string;
const open = demoStage({ historyDays: 1 }, async (owner) => {
  const farms = await owner.get('GET /farms-card');
  for (const { _id: farmUID } of farms) {
    const { groups } = await owner.get('GET /groups', { farmUID });
    if (groups.length === 0) bare = farmUID;
    else if (!farm) {
      farm = farmUID;
      const body = {
        name: 'Autumn',
        groups: groups.map(({ _id }) => ({ uid: _id })),
        settings: { duration: 28 },
      };
      await owner.send('POST /schedule-template', { farmUID, ...body });
      const sets = await owner.get('GET /schedules/list', { farmUID });
      summer = sets.find(({ selected }) => selected)?.id ?? '';
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

  it('the form of a template that does not fit, and its result once it does', async () => {
    await look.follow(`/scheduler/new/${farm}`);
    await look.page.getByRole('checkbox').first().waitFor();
    await look.expectNoFaults();
    await look.button(/^Choose all/).click();
    await look.page.getByRole('textbox', { name: /^Duration/ }).fill('1440');
    await look.page.getByRole('group', { name: 'Findings' }).waitFor();
    await look.button('Add hours to avoid').click();
    await look.button('Save').click();
    await look.page.getByText('Name is required.').waitFor();
    await look.expectNoFaults();
    await look.button('Remove hours to avoid 1').click();
    await look.page.getByRole('textbox', { name: /^Duration/ }).fill('20');
    await look.page.getByRole('region', { name: /^Schedule table/ }).waitFor();
    await look.settled();
    await look.expectNoFaults();
    await look.page.getByRole('textbox', { name: /^Name/ }).fill('Summer');
    await look.button('Undo').click();
  });

  it('a farm without schedule templates', async () => {
    await look.follow(`/scheduler/${bare}`);
    await look.page.getByText('No schedule templates yet.').waitFor();
    await look.expectNoFaults();
  });

  it('the sets of a farm, what changes with one, and its irrigation diary', async () => {
    await look.follow(`/schedules/${farm}`);
    await look.button('Menu of Summer').waitFor();
    await look.expectNoFaults();
    await look.button('Menu of Summer').click();
    await look.page.getByRole('menuitem', { name: /Clone as template/ }).waitFor();
    await look.settled();
    await look.expectNoFaults();
    await look.page.keyboard.press('Escape');
    await look.follow(`/schedules/compare/${farm}?to=${summer}`);
    await look.page.getByText(/sprinklers change$/).waitFor();
    await look.expectNoFaults();
    await look.follow(`/irr-diary-logs/view/${farm}`);
    await look.page.getByRole('heading', { name: 'Last watering' }).waitFor();
    await look.settled();
    await look.expectNoFaults();
  });

  it('the operating time of a set and the annex of an environment plan, each with its files; and the files of the diary', async () => {
    const files: string[] = [];
    const take = async (part: Locator, name: RegExp) => {
      // Once: files don't look otherwise in the dark.
      if (shape.size === PHONE) files.push(...(await downloadsOf(look.page, await namedButtons(part, name))));
    };
    const dialog = look.page.getByRole('dialog');
    await look.follow(`/schedules/${farm}`);
    await look.button('Menu of Summer').click();
    await look.page.getByRole('menuitem', { name: /^Operating time/ }).click();
    await dialog.getByRole('button', { name: /^Download operating-time-Summer\.pdf/ }).waitFor();
    await look.settled(dialog);
    await look.expectNoFaults('[role=dialog]');
    await take(dialog, /^Download /);
    await look.follow(`/irr-diary-logs/view/${farm}`);
    await look.button('PDF of these days, of all groups').waitFor();
    await take(look.page.locator('main'), /^(PDF|CSV) of (these days|all waterings)/);
    await look.button('Environment plan: the annex on irrigation').click();
    await dialog.getByRole('button', { name: /^Download farm-environment-plan-.*\.pdf/ }).waitFor();
    await look.settled(dialog);
    await look.expectNoFaults('[role=dialog]');
    await take(dialog, /^Download /);
    expect(files.map((name) => name.replaceAll(/-\d{4}-\d{2}-\d{2}/g, ''))).toEqual(
      shape.size === PHONE
        ? [
            'operating-time-Summer.csv',
            'operating-time-Summer.pdf',
            'irrigation-diary.pdf',
            'Irrigation diary of Rakaia Downs.csv',
            'farm-environment-plan-Rakaia-Downs.csv',
            'farm-environment-plan-Rakaia-Downs.pdf',
          ]
        : [],
    );
  });

  it('advice on irrigation, its days, and the form of a soil', async () => {
    await look.follow(`/irrigation-advice/${farm}`);
    await look.page.getByRole('list', { name: 'Groups' }).waitFor();
    await look.expectNoFaults();
    await look.page.getByText('Day by day').first().click();
    await look.page.getByRole('table').first().waitFor();
    await look.expectNoFaults();
    await look.button('Enter a day’s weather').click();
    await look.page.getByRole('dialog', { name: 'A day’s weather' }).getByRole('textbox').first().waitFor();
    await look.expectNoFaults('[role=dialog]');
    await look.button('Cancel').click();
    await look.page.getByRole('dialog').waitFor({ state: 'detached' });
    await look.follow(`/irrigation-advice/${farm}?edit=farm`);
    await look.page.getByRole('form', { name: 'Soil and crop of the farm' }).waitFor();
    await look.page.getByRole('switch', { name: 'Other than the defaults' }).click();
    await look.expectNoFaults();
    await look.button('Cancel').click();
  });

  it('a hold of all sprinklers', async () => {
    await look.follow(`/group-status/FARM?farm=${farm}`);
    if (shape.width < 768) await look.button('List').click();
    await look.button('Options').click();
    await look.button('Hold from watering…').click();
    await look.page
      .getByRole('dialog', { name: /^Hold .* from watering$/ })
      .getByLabel('Until')
      .waitFor();
    await look.expectNoFaults('[role=dialog]');
    await look.page.keyboard.press('Escape');
    await look.page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('the timeline of a farm’s watering, its sends and its water supply', async () => {
    await look.follow(`/schedules/view/${farm}`);
    await look.page
      .getByText(shape.width < 768 ? 'Now' : 'What the bars mean', { exact: true })
      .or(look.page.getByLabel('What the bars mean'))
      .first()
      .waitFor();
    await look.expectNoFaults();
    if (shape.width >= 768) await cards(look);
    await look.follow(`/schedules/view/${farm}?tab=supply`);
    await look.button('Add a time for water').click();
    await look.page.getByRole('list', { name: 'Groups that stop' }).waitFor();
    await look.expectNoFaults();
    await look.follow(`/schedules/view/${farm}?tab=sends`);
    await look.page.getByText('No schedules have been sent yet').waitFor();
    await look.expectNoFaults();
  });
});

/** A line's card on the timeline, and that of a watering. */
async function cards({ page, settled, expectNoFaults }: ReturnType<typeof screensIn>): Promise<void> {
  const leave = async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await page.getByRole('button', { name: 'More of Line A' }).click();
  await page.getByRole('group', { name: 'For Line A' }).waitFor();
  await settled();
  await expectNoFaults('[role=dialog]');
  await leave();
  await page.getByRole('button', { name: /^Line A 10/ }).click();
  await page
    .getByRole('button', { name: /^A01, / })
    .first()
    .click();
  await page.getByRole('group', { name: 'For A01' }).waitFor();
  await settled();
  await expectNoFaults('[role=dialog]');
  await leave();
}
